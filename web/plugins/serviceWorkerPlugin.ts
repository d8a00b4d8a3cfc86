import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Write the service worker with the names of all files of this build, so that the app opens offline. */
export function serviceWorkerPlugin(): Plugin {
  let base = "/";
  return {
    name: "service-worker",
    apply: "build",
    configResolved(config) {
      base = config.base;
    },
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter((file) => file.startsWith("assets/") && !file.endsWith(".woff"));
      const worker = readFileSync(new URL("./serviceWorkerTemplate.js", import.meta.url), "utf-8");
      const version = createHash("sha256").update(files.join() + worker).digest("hex").slice(0, 12);
      const constants = { VERSION: version, BUILT: base, FILES: files };
      const source = [
        ...Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`),
        worker,
      ].join("\n");
      this.emitFile({ type: "asset", fileName: "worker.js", source });
    },
  };
}
