import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Writes the service worker with the names of all files of this build, so that the shell opens without a network. */
export function shell(): Plugin {
  return {
    name: "shell",
    apply: "build",
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((file) => file.startsWith("assets/") && !file.endsWith(".woff"));
      const worker = readFileSync(new URL("./worker.js", import.meta.url), "utf-8");
      const version = createHash("sha256").update(files.join() + worker).digest("hex").slice(0, 12);
      const source = `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${JSON.stringify(files.map((file) => `/${file}`))};\n${worker}`;
      this.emitFile({ type: "asset", fileName: "worker.js", source });
    },
  };
}
