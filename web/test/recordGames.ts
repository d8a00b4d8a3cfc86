// Before the laws are tested: whole games, recorded by the real rules, unless they lie there and nothing has changed since.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const GAMES = at("web/test/made/games.jsonl");
const SOURCES = ["src/notahat/rules", "src/notahat/live/pace.py", "tools/record_games.py"];

export default function record(): void {
  if (existsSync(GAMES) && SOURCES.every((source) => changed(at(source)) < statSync(GAMES).mtimeMs)) return;
  execFileSync(at(".venv/bin/python"), [at("tools/record_games.py"), GAMES], { stdio: "inherit" });
}

function changed(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(...readdirSync(path).filter((name) => name.endsWith(".py")).map((name) => changed(`${path}/${name}`)));
}
