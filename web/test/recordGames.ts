// Record whole games with the real rules for sceneLaws.test.ts, unless the recording is up to date.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const absolute = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const GAMES = absolute("web/test/made/games.jsonl");
const SOURCES = ["src/notahat/rules", "src/notahat/live/pace.py", "tools/record_games.py"];

export default function recordGames(): void {
  if (existsSync(GAMES) && SOURCES.every((source) => changedAt(absolute(source)) < statSync(GAMES).mtimeMs)) return;
  execFileSync(absolute(".venv/bin/python"), [absolute("tools/record_games.py"), GAMES], { stdio: "inherit" });
}

function changedAt(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const files = readdirSync(path).filter((name) => name.endsWith(".py"));
  return Math.max(...files.map((name) => changedAt(`${path}/${name}`)));
}
