import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["src/made/", "src/wire.ts", "node_modules/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off", // seats are numbers that the server sent
      "svelte/no-at-html-tags": "off", // our own drawings are the only markup set this way
      "svelte/no-navigation-without-resolve": "off", // that rule is for SvelteKit's router
    },
  },
);
