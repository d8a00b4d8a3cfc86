// node runPyodide.mjs FOLDER: run FOLDER/program.py with the Python build for browsers and print its last value.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const info = { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" };
const python = await loadPyodide({
  indexURL: folder,
  lockFileContents: JSON.stringify({ info, packages: {} }),
  packages: [],
});
python.mountNodeFS("/site", join(folder, "site"));
python.runPython("import sys; sys.path.insert(0, '/site')");
process.stdout.write(String(python.runPython(readFileSync(join(folder, "program.py"), "utf-8"))));
