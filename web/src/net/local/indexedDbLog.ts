// Where tables of this device are kept: their logs in IndexedDB. An entry is on the disk before anybody hears of it.

interface Row {
  code: string;
  version: number;
  command: string;
  entry: string; // JSON, as the game wrote it
}
interface Kept {
  code: string;
  used: number; // when something was last written
  snapshot: string | null;
}

const A_DAY = 24 * 3600 * 1000;
export const KEEP_DAYS = 30;
export const codeOf = (number: number): string => `POCKET-${number}`;

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("notahat", 1);
    asked.onupgradeneeded = () => {
      const log = asked.result.createObjectStore("log", { keyPath: ["code", "version"] });
      log.createIndex("command", ["code", "command"], { unique: true }); // whatever was done is done once
      asked.result.createObjectStore("tables", { keyPath: "code" });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

const answerTo = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

const of = (code: string, after = 0, last = Infinity): IDBKeyRange => IDBKeyRange.bound([code, after + 1], [code, last]);

export class Shelf {
  readonly #db: IDBDatabase;

  private constructor(db: IDBDatabase) {
    this.#db = db;
    db.onversionchange = () => db.close(); // a newer page wants it
  }

  static async open(): Promise<Shelf> {
    return new Shelf(await opened());
  }

  /** A code that no table here has. */
  async nextCode(): Promise<string> {
    const codes = await answerTo(this.#db.transaction("tables").objectStore("tables").getAllKeys());
    const numbers = codes.map((code) => Number(String(code).split("-")[1]));
    return codeOf(Math.max(0, ...numbers) + 1);
  }

  /** Make an entry durable; false where that version or that command is there already. */
  write(code: string, version: number, command: string, entry: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const change = this.#db.transaction(["log", "tables"], "readwrite", { durability: "strict" });
      change.objectStore("log").add({ code, version, command, entry } satisfies Row);
      const tables = change.objectStore("tables");
      const asked = tables.get(code) as IDBRequest<Kept | undefined>;
      asked.onsuccess = () => tables.put({ code, snapshot: asked.result?.snapshot ?? null, used: Date.now() } satisfies Kept);
      change.oncomplete = () => resolve(true);
      change.onabort = () => (change.error?.name === "ConstraintError" ? resolve(false) : reject(change.error));
    });
  }

  /** The log after a version, as the pocket reads it. */
  async read(code: string, after = 0, last?: number): Promise<string> {
    const rows = (await answerTo(this.#db.transaction("log").objectStore("log").getAll(of(code, after, last)))) as Row[];
    const written = rows.map(({ version, command, entry }) => `{"version":${version},"command":${JSON.stringify(command)},"entry":${entry}}`);
    return `[${written.join()}]`;
  }

  async snapshot(code: string): Promise<string> {
    const kept = (await answerTo(this.#db.transaction("tables").objectStore("tables").get(code))) as Kept | undefined;
    return kept?.snapshot ?? "null";
  }

  keep(code: string, snapshot: string): void {
    const change = this.#db.transaction("tables", "readwrite");
    change.objectStore("tables").put({ code, snapshot, used: Date.now() } satisfies Kept);
  }

  /** Tables that nobody has touched for long are forgotten. */
  async clean(now = Date.now()): Promise<void> {
    const change = this.#db.transaction(["log", "tables"], "readwrite");
    const tables = change.objectStore("tables");
    for (const { code, used } of (await answerTo(tables.getAll())) as Kept[]) {
      if (used > now - KEEP_DAYS * A_DAY) continue;
      change.objectStore("log").delete(of(code));
      tables.delete(code);
    }
  }
}
