/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { notices } from "./notices.ts";
import { shell } from "./shell.ts";

export default defineConfig({
  plugins: [svelte(), shell(), notices(["openmoji"])],
  build: {
    outDir: "../src/notahat/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: addresses
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  test: { include: ["test/**/*.test.ts"] },
});
