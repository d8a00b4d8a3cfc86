// The log of a table in this browser, as the holder reads it for its successor, and as the successor keeps its copy.

import { ensureInstalled, isInstalled } from "../api.ts";
import { IndexedDbLog } from "../local/indexedDbLog.ts";
import { isSupported } from "../local/manifest.ts";
import type { NetworkInfo } from "../local/installer.svelte.ts";
import type { LogEntry } from "./tableMember.ts";

const PIECE = 32; // entries that are sent at once

/** Return how well this browser can hold a table: 0 not at all, 3 at once. The game is a download of 6 MB. */
export async function holdingRank(): Promise<number> {
  const { connection } = navigator as { connection?: NetworkInfo };
  if (!isSupported()) return 0;
  if (await isInstalled()) return 3;
  if (connection?.saveData || connection?.type === "cellular") return 0;
  return connection?.type === undefined ? 1 : 2;
}

export class LogCopy {
  readonly #code: string;
  readonly #log: IndexedDbLog;
  last: number; // version
  #writes: Promise<void> = Promise.resolve();

  private constructor(code: string, log: IndexedDbLog, last: number) {
    this.#code = code;
    this.#log = log;
    this.last = last;
  }

  static async open(code: string): Promise<LogCopy> {
    const log = await IndexedDbLog.open();
    return new LogCopy(code, log, await log.lastVersion(code));
  }

  /** Wait until everything is written. */
  get written(): Promise<void> {
    return this.#writes;
  }

  /** Return the next entries after a version. */
  read(after: number): Promise<LogEntry[]> {
    return this.#log.entries(this.#code, after, undefined, PIECE);
  }

  /** Install the game and delete an old log, if the copy is `wanted` by then. */
  begin(wanted: () => boolean): Promise<void> {
    return this.#write(async () => {
      await ensureInstalled(false);
      if (!(await isInstalled())) throw new Error("the game is not installed");
      if (!wanted()) throw new Error("the copy is not wanted any more");
      await this.#log.delete(this.#code);
      this.last = 0;
    });
  }

  /** Append entries that follow the last one, as long as the copy is `wanted`. They survive a crash of the browser; the
   * holder's own log survives a power failure, too. */
  append(entries: LogEntry[], wanted: () => boolean): Promise<void> {
    return this.#write(async () => {
      for (const { version, command, entry } of entries) {
        if (version !== this.last + 1 || !wanted()) continue;
        if (!(await this.#log.append(this.#code, version, command, entry, "relaxed")))
          throw new Error("the copy of the log differs");
        this.last = version;
      }
    });
  }

  #write(action: () => Promise<void>): Promise<void> {
    const done = this.#writes.then(action);
    this.#writes = done.catch(console.warn);
    return done;
  }
}
