/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { notices } from "./notices.ts";
import { shell } from "./shell.ts";

// The oldest browsers that play; docs/browsers.md says so too.
export const OLDEST = ["safari16", "ios16", "chrome109", "firefox115"];

// What several pages share: few files, for each costs a round trip and is packed less well.
const SHARED = [
  { name: "room", test: /\/src\/around\/(awake|ground|places|Name|Pile|Place)\b/ },
  { name: "table", test: /\/src\/(table\/(?!TablePage)|people|end\/(?!Result|Watch)|sound|made\/kinds|parts\/(Face|Gift|Icon|Card|Wrapped)\.)/, minShareCount: 2 },
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
    rolldownOptions: { output: { codeSplitting: { groups: SHARED, includeDependenciesRecursively: false } } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["test/**/*.test.ts"], globalSetup: ["test/record.ts"] },
});
