/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { notices } from "./notices.ts";
import { shell } from "./shell.ts";

// The oldest browsers that play; docs/browsers.md says so too.
export const OLDEST = ["safari16", "ios16", "chrome109", "firefox115"];

<<<<<<< HEAD
// What several pages share: few files, for each costs a round trip and is packed less well.
const SHARED = [
  { name: "room", test: /\/src\/around\/(awake|ground|places|Name|Pile|Place)\b/ },
  { name: "table", test: /\/src\/(table\/(?!TablePage)|people|end\/(?!Result|Watch)|sound|made\/kinds|parts\/(Face|Gift|Icon|Card|Wrapped)\.)/, minShareCount: 2 },
=======
// What the door needs in one file, what a table needs in another: many small ones would pack worse and be asked for one by one.
const PARTS = [
  { name: "door", tags: ["$initial" as const], priority: 2 },
  { name: "table", test: /[\\/]src[\\/](table|people|lobby)[\\/]/, priority: 1 },
>>>>>>> 1bdb72f (Sound wakes at the door; its question covers nobody; one file for the door and one for the table)
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
<<<<<<< HEAD
    rolldownOptions: { output: { codeSplitting: { groups: SHARED, includeDependenciesRecursively: false } } },
=======
    rolldownOptions: { output: { codeSplitting: { groups: PARTS } } },
>>>>>>> 1bdb72f (Sound wakes at the door; its question covers nobody; one file for the door and one for the table)
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["test/**/*.test.ts"], globalSetup: ["test/record.ts"] },
});
