import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Writes the service worker with the names of all files of this build, so that the shell opens without a network. */
export function shell(): Plugin {
  let base = "/";
  return {
    name: "shell",
    apply: "build",
    configResolved(config) {
      base = config.base;
    },
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((file) => file.startsWith("assets/") && !file.endsWith(".woff"));
      const worker = readFileSync(new URL("./serviceWorkerTemplate.js", import.meta.url), "utf-8");
      const version = createHash("sha256").update(files.join() + worker).digest("hex").slice(0, 12);
      const known = { VERSION: version, BASE: base, FILES: files.map((file) => base + file) };
      const source = [...Object.entries(known).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`), worker].join("\n");
      this.emitFile({ type: "asset", fileName: "worker.js", source });
    },
  };
}
