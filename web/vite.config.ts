/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { notices } from "./plugins/noticesPlugin.ts";
import { shell } from "./plugins/serviceWorkerPlugin.ts";

// The oldest browsers that play; docs/browsers.md says so too.
export const OLDEST = ["safari16", "ios16", "chrome109", "firefox115"];

// What the door needs in one file, what a table needs in another, and what devices for a whole room share: many small ones would
// pack worse, and each costs a round trip.
const PARTS = [
  { name: "door", tags: ["$initial" as const], priority: 3 },
  { name: "table", test: /[\\/]src[\\/](table|people|lobby)[\\/]/, priority: 2 },
  { name: "decks", test: /[\\/]src[\\/]decks[\\/]\w+\.ts$/, priority: 1 },
  { name: "room", test: /[\\/]src[\\/]around[\\/](awake|ground|places|Name|Pile|Place)\b/, priority: 1 },
];

export default defineConfig({
  plugins: [svelte(), shell(), notices(["openmoji"])],
  build: {
    outDir: "../src/notahat/server/static",
    emptyOutDir: true,
    manifest: "made-from.json", // where each file comes from: paper/ finds words, drawings and fonts by it
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false },
    target: OLDEST,
    cssTarget: OLDEST, // light-dark() and other recent CSS get plain fallbacks
    rolldownOptions: { output: { codeSplitting: { groups: PARTS } } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["test/**/*.test.ts"], globalSetup: ["test/recordGames.ts"] },
});
