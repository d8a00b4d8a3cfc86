import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { silence, unmetered } from "../../src/net/local/networkPolicy.ts";
import { unpacked } from "../../src/net/local/archive.ts";
import { started, type Loader } from "../../src/net/local/pyodide.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a pack", () => {
  it("is a line of names and lengths, then what they name", () => {
    const bytes = new TextEncoder().encode('[["a.txt",3],["b/c.txt",0],["d",4]]\nüxhead');
    const files = unpacked(bytes).map(([name, content]) => [name, new TextDecoder().decode(content)]);
    expect(files).toEqual([["a.txt", "üx"], ["b/c.txt", ""], ["d", "head"]]);
  });
});

describe("what is fetched unasked", () => {
  it.each([
    [undefined, false, true],
    [undefined, true, false],
    [{ type: "wifi" }, true, true],
    [{ type: "cellular" }, true, false],
    [{ type: "cellular" }, false, false],
    [{ type: "ethernet", saveData: true }, false, false],
  ])("is paid by nobody: %o, in a hand %s", (connection, handheld, free) => {
    expect(unmetered(connection, handheld)).toBe(free);
  });
});

describe("the network", () => {
  it("is quiet when nothing was fetched for five seconds", async () => {
    vi.useFakeTimers();
    let fetched = (): void => undefined;
    const observer = class {
      constructor(heard: () => void) {
        fetched = heard;
      }
      observe(): void {}
      disconnect(): void {}
    };
    vi.stubGlobal("PerformanceObserver", observer);
    let quiet = false;
    void silence().then(() => (quiet = true));
    await vi.advanceTimersByTimeAsync(4000);
    fetched();
    await vi.advanceTimersByTimeAsync(4900);
    expect(quiet).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(quiet).toBe(true);
  });
});

/** The browser's cache, which holds a memory or refuses. */
function cached(memory: string | null, refuses: { reading?: boolean; writing?: boolean } = {}): Map<string, string> {
  const kept = new Map(memory === null ? [] : [["/python/started.memory", memory]]);
  const put = async (address: string, answer: Response): Promise<void> => {
    if (refuses.writing) throw new DOMException("full", "QuotaExceededError");
    kept.set(address, await answer.text());
  };
  const match = async (address: string): Promise<Response | undefined> => {
    if (refuses.reading) throw new DOMException("refused", "SecurityError");
    return kept.has(address) ? new Response(kept.get(address)!) : undefined;
  };
  vi.stubGlobal("caches", { match, open: async () => ({ put }) });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  return kept;
}

/** Pyodide, as far as starting goes: it takes a memory of its own and no other. */
function pyodide(): { loader: Loader; starts: string[] } {
  const starts: string[] = [];
  const loadPyodide: Loader["loadPyodide"] = async ({ _loadSnapshot, _makeSnapshot }) => {
    const memory = _loadSnapshot && new TextDecoder().decode(await _loadSnapshot);
    starts.push(memory ?? (_makeSnapshot ? "afresh" : "unremembered"));
    if (memory !== undefined && memory !== "good") throw new Error("snapshot of another build");
    return { makeMemorySnapshot: () => new TextEncoder().encode("good") } as Awaited<ReturnType<Loader["loadPyodide"]>>;
  };
  return { loader: { loadPyodide }, starts };
}

describe("Python starts", () => {
  it.each([
    ["from the memory of its first start", "good", {}, ["good"], "good"],
    ["afresh where none is kept, and keeps it", null, {}, ["afresh"], "good"],
    ["afresh where it is broken or another version's, and keeps a good one", "bad", {}, ["bad", "afresh"], "good"],
    ["afresh where the cache cannot be read", "good", { reading: true }, ["afresh"], "good"],
    ["though the disk is full", null, { writing: true }, ["afresh"], undefined],
  ])("%s", async (_, memory, refuses, wanted, keeps) => {
    const kept = cached(memory, refuses);
    const { loader, starts } = pyodide();
    expect(await started(loader, "/python/")).toBeTruthy();
    expect(starts).toEqual(wanted);
    expect(kept.get("/python/started.memory")).toBe(keeps);
  });
});

describe("the app", () => {
  it("may live anywhere on a host: addresses of its own pages are made by to()", () => {
    const source = new URL("../../src/", import.meta.url);
    const files = readdirSync(source, { recursive: true, encoding: "utf-8" }).filter((file) => file.endsWith(".svelte"));
    const rooted = files.filter((file) => /(href|src)="\/|(href|src)=\{`\//.test(readFileSync(new URL(file, source), "utf-8")));
    expect(rooted).toEqual([]);
    const passedOn = files.filter((file) => readFileSync(new URL(file, source), "utf-8").includes("location.origin"));
    expect(passedOn).toEqual([]); // a link for others is made by linkTo(), of an address that to() made
  });
});
