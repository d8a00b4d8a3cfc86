// The logs of the tables of this device, in IndexedDB. An entry is durable before it is acknowledged.

export interface Entry {
  code: string;
  version: number;
  command: string;
  entry: string; // JSON
}
interface Table {
  code: string;
  used: number; // time of the last write, within `USED_TOLERANCE`
  snapshot: string | null;
}

const DAY = 24 * 3600 * 1000;
const KEEP_DAYS = 30;
const USED_TOLERANCE = 3600 * 1000; // the snapshot would be written again with it for each entry

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open("notahat", 1);
  request.onupgradeneeded = () => {
    const log = request.result.createObjectStore("log", { keyPath: ["code", "version"] });
    log.createIndex("command", ["code", "command"], { unique: true }); // deduplicates commands
    request.result.createObjectStore("tables", { keyPath: "code" });
  };
  return resultOf(request);
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const versions = (code: string, after = 0, last = Infinity): IDBKeyRange =>
  IDBKeyRange.bound([code, after + 1], [code, last]);

export class IndexedDbLog {
  readonly #db: IDBDatabase;
  readonly #used = new Map<string, number>(); // as written by this page, by table code

  private constructor(db: IDBDatabase) {
    this.#db = db;
    db.onversionchange = () => db.close(); // a newer page upgrades it
  }

  static async open(): Promise<IndexedDbLog> {
    return new IndexedDbLog(await openDatabase());
  }

  /** Return an unused table code. */
  async nextCode(): Promise<string> {
    const codes = await resultOf(this.#db.transaction("tables").objectStore("tables").getAllKeys());
    const numbers = codes
      .map(String)
      .filter((code) => code.startsWith("POCKET-"))
      .map((code) => Number(code.split("-")[1]));
    return `POCKET-${Math.max(0, ...numbers) + 1}`;
  }

  /** Append an entry. Return false on a conflict: the version or the command exists already. */
  append(
    code: string,
    version: number,
    command: string,
    entry: string,
    durability: IDBTransactionDurability = "strict",
  ): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const transaction = this.#db.transaction(["log", "tables"], "readwrite", { durability });
      transaction.objectStore("log").add({ code, version, command, entry } satisfies Entry);
      const used = this.#isUsed(code) ? null : Date.now();
      if (used !== null) this.#markUsed(transaction.objectStore("tables"), code, used);
      transaction.oncomplete = () => {
        if (used !== null) this.#used.set(code, used);
        resolve(true);
      };
      transaction.onabort = () =>
        transaction.error?.name === "ConstraintError" ? resolve(false) : reject(transaction.error);
    });
  }

  #isUsed(code: string): boolean {
    return Date.now() - (this.#used.get(code) ?? 0) < USED_TOLERANCE;
  }

  #markUsed(tables: IDBObjectStore, code: string, used: number): void {
    const found = tables.get(code) as IDBRequest<Table | undefined>;
    found.onsuccess = () => tables.put({ code, snapshot: found.result?.snapshot ?? null, used } satisfies Table);
  }

  /** Return the entries after a version as JSON for Python. */
  async read(code: string, after = 0, last?: number): Promise<string> {
    const rows = (await resultOf(
      this.#db
        .transaction("log")
        .objectStore("log")
        .getAll(versions(code, after, last)),
    )) as Entry[];
    const entries = rows.map(
      ({ version, command, entry }) => `{"version":${version},"command":${JSON.stringify(command)},"entry":${entry}}`,
    );
    return `[${entries.join()}]`;
  }

  /** Return some entries after a version, about `size` characters. */
  async some(code: string, after: number, size: number): Promise<Entry[]> {
    const store = this.#db.transaction("log").objectStore("log");
    const found: Entry[] = [];
    const cursor = store.openCursor(versions(code, after));
    await new Promise<void>((resolve, reject) => {
      cursor.onerror = () => reject(cursor.error);
      cursor.onsuccess = () => {
        if (!cursor.result) return resolve();
        found.push(cursor.result.value as Entry);
        size -= found.at(-1)!.entry.length;
        if (size > 0) cursor.result.continue();
        else resolve();
      };
    });
    return found;
  }

  /** Return the newest version of a table, or 0. */
  async lastVersion(code: string): Promise<number> {
    const cursor = await resultOf(this.#db.transaction("log").objectStore("log").openCursor(versions(code), "prev"));
    return (cursor?.value as Entry | undefined)?.version ?? 0;
  }

  /** Delete the log of a table. */
  delete(code: string): Promise<void> {
    this.#used.delete(code);
    return new Promise((resolve, reject) => {
      const transaction = this.#db.transaction(["log", "tables"], "readwrite", { durability: "strict" });
      transaction.objectStore("log").delete(versions(code));
      transaction.objectStore("tables").delete(code);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }

  async readSnapshot(code: string): Promise<string> {
    const table = (await resultOf(this.#db.transaction("tables").objectStore("tables").get(code))) as Table | undefined;
    return table?.snapshot ?? "null";
  }

  writeSnapshot(code: string, snapshot: string): void {
    const tables = this.#db.transaction("tables", "readwrite").objectStore("tables");
    tables.put({ code, snapshot, used: Date.now() } satisfies Table);
  }

  /** Delete tables that were not used for `KEEP_DAYS`. */
  async deleteOld(): Promise<void> {
    const transaction = this.#db.transaction(["log", "tables"], "readwrite");
    const tables = transaction.objectStore("tables");
    for (const { code, used } of (await resultOf(tables.getAll())) as Table[]) {
      if (used > Date.now() - KEEP_DAYS * DAY) continue;
      transaction.objectStore("log").delete(versions(code));
      tables.delete(code);
    }
  }
}
