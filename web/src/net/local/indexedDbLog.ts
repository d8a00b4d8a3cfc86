// The logs of the tables of this device, in IndexedDB. An entry is durable before it is acknowledged.

export interface Entry {
  code: string;
  version: number;
  command: string;
  entry: string; // JSON
}
interface Table {
  code: string;
  used: number; // when it was made, loaded or saved
  snapshot: string | null;
}

const DAY = 24 * 3600 * 1000;
const KEEP_DAYS = 30;

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const versions = (code: string, after = 0, last = Infinity): IDBKeyRange =>
  IDBKeyRange.bound([code, after + 1], [code, last]);

export class IndexedDbLog {
  readonly #db: IDBDatabase;

  private constructor(db: IDBDatabase) {
    this.#db = db;
    db.onversionchange = () => db.close(); // a newer page upgrades it
  }

  static async open(): Promise<IndexedDbLog> {
    const request = indexedDB.open("notahat", 1);
    request.onupgradeneeded = () => {
      const log = request.result.createObjectStore("log", { keyPath: ["code", "version"] });
      log.createIndex("command", ["code", "command"], { unique: true }); // deduplicates commands
      request.result.createObjectStore("tables", { keyPath: "code" });
    };
    return new IndexedDbLog(await resultOf(request));
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
      if (version === 1)
        transaction.objectStore("tables").put({ code, used: Date.now(), snapshot: null } satisfies Table);
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () =>
        transaction.error?.name === "ConstraintError" ? resolve(false) : reject(transaction.error);
    });
  }

  /** Return the entries after a version as JSON for Python. */
  async read(code: string, after = 0, last?: number): Promise<string> {
    const entries = (await this.entries(code, after, last)).map(
      ({ version, command, entry }) => `{"version":${version},"command":${JSON.stringify(command)},"entry":${entry}}`,
    );
    return `[${entries.join()}]`;
  }

  /** Return the entries after a version, at most `most`. */
  entries(code: string, after: number, last?: number, most?: number): Promise<Entry[]> {
    return resultOf(this.#db.transaction("log").objectStore("log").getAll(versions(code, after, last), most));
  }

  /** Return the newest version of a table, or 0. */
  async lastVersion(code: string): Promise<number> {
    const cursor = await resultOf(this.#db.transaction("log").objectStore("log").openCursor(versions(code), "prev"));
    return (cursor?.value as Entry | undefined)?.version ?? 0;
  }

  /** Delete the log of a table. */
  delete(code: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.#db.transaction(["log", "tables"], "readwrite", { durability: "strict" });
      transaction.objectStore("log").delete(versions(code));
      transaction.objectStore("tables").delete(code);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }

  async readSnapshot(code: string): Promise<string> {
    const tables = this.#db.transaction("tables", "readwrite").objectStore("tables");
    const table = (await resultOf(tables.get(code))) as Table | undefined;
    if (table) tables.put({ ...table, used: Date.now() } satisfies Table);
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
