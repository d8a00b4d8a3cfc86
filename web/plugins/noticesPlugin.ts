import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

interface PackageJson {
  name?: string;
  version?: string;
  license?: string;
}

const WEB = dirname(import.meta.dirname);
const SEPARATOR = "\n\n" + "-".repeat(80) + "\n\n";

/** Write the licences of all packages in this build to notices.txt. `also` names packages that other tools add. */
export function noticesPlugin(also: string[]): Plugin {
  return {
    name: "notices",
    apply: "build",
    generateBundle(_options, bundle) {
      const assets = Object.values(bundle).flatMap((file) => (file.type === "asset" ? file.originalFileNames : []));
      const files = [...this.getModuleIds(), ...assets.map((file) => resolve(WEB, file))];
      const folders = files.filter((file) => file.includes("node_modules")).map(packageOf);
      const copied = also.map((name) => join(WEB, "node_modules", name));
      const source = [...new Set([...folders, ...copied].map(noticeOf))].sort().join(SEPARATOR);
      this.emitFile({ type: "asset", fileName: "notices.txt", source: `${source}\n` });
    },
  };
}

/** Return the package folder of a module. */
function packageOf(id: string): string {
  let folder = dirname(id.replace(/^\0/, "").replace(/\?.*$/, ""));
  while (!(existsSync(join(folder, "package.json")) && readPackage(folder).name)) folder = dirname(folder);
  return folder;
}

function noticeOf(folder: string): string {
  const { name, version, license } = readPackage(folder);
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!name || !license || !file) throw new Error(`${folder} has no licence to show`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf-8").trim()}`;
}

function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf-8")) as PackageJson;
}
