/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compressPlugin } from "./plugins/compressPlugin.ts";
import { manifestPlugin } from "./plugins/manifestPlugin.ts";
import { unusedCodePlugin } from "./plugins/unusedCodePlugin.ts";
import { noticesPlugin } from "./plugins/noticesPlugin.ts";
import { serviceWorkerPlugin } from "./plugins/serviceWorkerPlugin.ts";

// The oldest supported browsers, as in docs/browsers.md.
export const OLDEST = ["safari16", "ios16", "chrome109", "firefox115"];

// Chunks by what people do, because many small files compress worse and each costs a round trip: the first page, the
// table (which the demonstration needs, too), what is seen late or by few, with decks and screens that several people
// share, and friends without a server. A chunk depends on those before it only, and the service worker fetches all of
// them in calm moments.
const inFolders = (folders: string): RegExp => new RegExp(`/src/(${folders})`);
// what a table or lobby shows only when it is opened
const OPENED_LATER = [
  "WhileYouWait", "EmptySeat", "SeatMenu", "Menu", "Confirm",
  "dialWords", "notifications", "ChangeFace", "LateJoin", "Sentence", "ChairsInPlay", "chairsInPlay",
];
const TABLE = ["ui/NewRelease", "game/stateReplay", "views/home/(Demo|demoLayout|HouseTables)"];
const LATE = ["decks", "print", "lobby", "offline", "results", "study", "table", "tablet", "bigScreen", "controller"];
const CHUNKS = [
  { name: "home", tags: ["$initial" as const], priority: 5 },
  {
    name: "table",
    test: inFolders(`${TABLE.join("|")}|views/(table|lobby)/(?!${OPENED_LATER.join("|")})`),
    priority: 4,
  },
  {
    name: "late",
    test: inFolders(`pages/(?!AnswerPage)|views/(${LATE.join("|")})/|game/(tablet|screen)`),
    priority: 3,
  },
  { name: "peers", test: inFolders("net/(peers|local)/|views/byHand/|pages/AnswerPage"), priority: 2 },
];

export default defineConfig(({ command }) => ({
  // one build works below any path, on a server and on a static site (tools/site.py)
  base: command === "build" ? "./" : "/",
  plugins: [
    svelte(), unusedCodePlugin(), compressPlugin(), manifestPlugin(), serviceWorkerPlugin(),
    noticesPlugin(["openmoji"]),
  ],
  build: {
    outDir: "../src/notahat/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: URLs
    modulePreload: { polyfill: false },
    target: OLDEST,
    cssTarget: OLDEST, // light-dark() and other recent CSS get plain fallbacks
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  worker: { plugins: () => [compressPlugin()] },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/recordGames.ts"],
    pool: "threads",
    isolate: false, // a worker of its own for each file of tests would use twice the processor time
    setupFiles: ["test/newFile.ts"],
    testTimeout: 120_000, // for what hangs: it measures no machine
    hookTimeout: 120_000,
  },
}));
