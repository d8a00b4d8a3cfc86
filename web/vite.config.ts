/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { manifestPlugin } from "./plugins/manifestPlugin.ts";
import { noticesPlugin } from "./plugins/noticesPlugin.ts";
import { serviceWorkerPlugin } from "./plugins/serviceWorkerPlugin.ts";

// The oldest supported browsers, as in docs/browsers.md.
export const OLDEST = ["safari16", "ios16", "chrome109", "firefox115"];

// Chunks: the first page, the table, decks, questions of a study, tables of peers, meeting by hand, and what tablet and big screen share. Many small
// files compress worse, and each costs a round trip.
const CHUNKS = [
  { name: "door", tags: ["$initial" as const], priority: 3 },
  {
    name: "table",
    test: /[\\/]src[\\/]views[\\/](table|lobby)[\\/](?!WhileYouWait|Menu\.|ContinueElsewhere|ConfirmLeave|PacePicker|ChangeFace|ConfirmRemove|HandOver|RulesSheet|Sentence\.)/,
    priority: 2,
  }, // without what is seen late or by few
  { name: "decks", test: /[\\/]src[\\/]views[\\/]decks[\\/]\w+\.ts$/, priority: 1 },
  { name: "study", test: /[\\/]src[\\/]views[\\/]study[\\/]/, priority: 1 },
  { name: "peers", test: /[\\/]src[\\/]net[\\/]peers[\\/]/, priority: 1 },
  { name: "byHand", test: /[\\/]src[\\/]views[\\/]byHand[\\/]/, priority: 1 },
  { name: "room", test: /[\\/](tabletBoard|tabletLayout|NamePlate|TabletSeat)\./, priority: 1 },
];

export default defineConfig(({ command }) => ({
  base: command === "build" ? "./" : "/", // the server's build works below any path; a static site names its own (tools/site.py)
  plugins: [svelte(), manifestPlugin(), serviceWorkerPlugin(), noticesPlugin(["openmoji"])],
  build: {
    outDir: "../src/notahat/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: URLs
    modulePreload: { polyfill: false },
    target: OLDEST,
    cssTarget: OLDEST, // light-dark() and other recent CSS get plain fallbacks
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["test/**/*.test.ts"], globalSetup: ["test/recordGames.ts"] },
}));
