import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

interface Package {
  name?: string;
  version?: string;
  license?: string;
}

const WEB = dirname(import.meta.dirname);
const RULE = "\n\n" + "-".repeat(80) + "\n\n";

/** Writes the names and licences of all packages that this build holds something of: they ask to be named in every copy.
    What other tools have already put among our own files is named in `also`. */
export function notices(also: string[]): Plugin {
  return {
    name: "notices",
    apply: "build",
    generateBundle(_options, bundle) {
      const assets = Object.values(bundle).flatMap((file) => (file.type === "asset" ? file.originalFileNames : []));
      const files = [...this.getModuleIds(), ...assets.map((file) => resolve(WEB, file))];
      const folders = files.filter((file) => file.includes("node_modules")).map(packageOf);
      const made = also.map((name) => join(WEB, "node_modules", name));
      const source = [...new Set([...folders, ...made].map(notice))].sort().join(RULE);
      this.emitFile({ type: "asset", fileName: "notices.txt", source: `${source}\n` });
    },
  };
}

/** The folder of the package that a module lies in. */
function packageOf(id: string): string {
  let folder = dirname(id.replace(/^\0/, "").replace(/\?.*$/, ""));
  while (!(existsSync(join(folder, "package.json")) && described(folder).name)) folder = dirname(folder);
  return folder;
}

function notice(folder: string): string {
  const { name, version, license } = described(folder);
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!name || !license || !file) throw new Error(`${folder} has no licence to show`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf-8").trim()}`;
}

function described(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf-8")) as Package;
}
