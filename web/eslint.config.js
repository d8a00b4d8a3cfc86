import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

const browserGlobals = Object.keys(globals.browser).filter((name) => name !== "performance");

/** Forbid imports in a folder, by a regular expression on their paths. */
const forbidImports = (folder, ...patterns) => ({
  files: [`**/src/${folder}/**`],
  rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns }] },
});

export default ts.config(
  { ignores: ["**/src/made/", "**/node_modules/", "web/.svelte-check/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    rules: {
      "max-len": ["error", { code: 120, ignoreUrls: true, ignorePattern: '\\bd="M' }], // the data of paths is one word
      "@typescript-eslint/no-non-null-assertion": "off", // seats are numbers that the server sent
      "svelte/no-at-html-tags": "off", // our own drawings are the only markup set this way
      "svelte/no-navigation-without-resolve": "off", // that rule is for SvelteKit's router
    },
  },
  forbidImports(
    "game",
    {
      regex: "^(?!\\./|\\.\\./(made/wire\\.ts$|words/))",
      message: "game/ imports only game/, made/wire.ts and types of words/.",
    },
    { regex: "/words/", allowTypeImports: true, message: "game/ imports only types of words/." },
    { regex: "^\\./.*\\.svelte", message: "game/ is plain TypeScript." },
  ),
  {
    files: ["**/src/game/**"],
    rules: {
      "no-restricted-globals": ["error", ...browserGlobals],
      "no-restricted-syntax": ["error", "ImportExpression"],
    },
  },
  forbidImports("net", { regex: "/(views|pages|ui)/", message: "net/ does not depend on the user interface." }),
  forbidImports("ui", { regex: "/(views|pages)/", message: "ui/ is the base of views/ and pages/." }),
);
