// node compilePocket.mjs WHEEL OUT: compile the pocket edition with the Python build for browsers.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const repo = dirname(dirname(fileURLToPath(import.meta.url)));
const [wheel, out] = process.argv.slice(2);

const python = await loadPyodide();
python.FS.writeFile("/wheel.whl", new Uint8Array(readFileSync(wheel)));
python.mountNodeFS("/repo", repo);
python.mountNodeFS("/out", out);
try {
  python.runPython(readFileSync(join(repo, "tools", "pyodide_bundle.py"), "utf-8"), { filename: "pyodide_bundle.py" });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
