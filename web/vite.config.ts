/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { manifestPlugin } from "./plugins/manifestPlugin.ts";
import { noHydrationPlugin } from "./plugins/noHydrationPlugin.ts";
import { noticesPlugin } from "./plugins/noticesPlugin.ts";
import { serviceWorkerPlugin } from "./plugins/serviceWorkerPlugin.ts";

// The oldest supported browsers, as in docs/browsers.md.
export const OLDEST = ["safari16", "ios16", "chrome109", "firefox115"];

// Chunks by what people do, because many small files compress worse and each costs a round trip: the first page, the table, what is seen late or by few,
// friends without a server, screens that several people share, decks, and printing. A chunk depends on those before it only.
const inFolders = (folders: string): RegExp => new RegExp(`/src/(${folders})`);
const CHUNKS = [
  { name: "door", tags: ["$initial" as const], priority: 5 },
  {
    name: "table",
    test: inFolders(
      "game/stateReplay|views/(table|lobby)/(?!WhileYouWait|Menu|ContinueElsewhere|Confirm|PacePicker|ChangeFace|HandOver|RulesSheet|Sentence)",
    ),
    priority: 4,
  },
  { name: "late", test: inFolders("pages/(?!AnswerPage)|views/(lobby|offline|results|study|table)/"), priority: 3 },
  { name: "peers", test: inFolders("net/(peers|local)/|views/byHand/|pages/AnswerPage"), priority: 2 },
  { name: "room", test: inFolders("views/(tablet|bigScreen|controller)/|game/(tablet|screen)"), priority: 1 },
  { name: "decks", test: inFolders("views/decks/"), priority: 1 },
  { name: "print", test: inFolders("views/print/"), priority: 1 },
];

export default defineConfig(({ command }) => ({
  base: command === "build" ? "./" : "/", // the server's build works below any path; a static site names its own (tools/site.py)
  plugins: [svelte(), noHydrationPlugin(), manifestPlugin(), serviceWorkerPlugin(), noticesPlugin(["openmoji"])],
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
