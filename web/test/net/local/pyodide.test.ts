import { describe, expect, it, vi } from "vitest";
import { startPython, type Loader } from "../../../src/net/local/pyodide.ts";

/** Stub the browser's cache with a memory snapshot, or with errors. */
function stubCache(snapshot: string | null, fails: { reading?: boolean; writing?: boolean } = {}): Map<string, string> {
  const cached = new Map(snapshot === null ? [] : [["/python/started.memory", snapshot]]);
  const put = async (url: string, response: Response): Promise<void> => {
    if (fails.writing) throw new DOMException("full", "QuotaExceededError");
    cached.set(url, await response.text());
  };
  const match = async (url: string): Promise<Response | undefined> => {
    if (fails.reading) throw new DOMException("refused", "SecurityError");
    return cached.has(url) ? new Response(cached.get(url)!) : undefined;
  };
  vi.stubGlobal("caches", { match, open: async () => ({ put }) });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  return cached;
}

/** A loader that accepts only its own snapshots. */
function fakeLoader(): { loader: Loader; starts: string[] } {
  const starts: string[] = [];
  const loadPyodide: Loader["loadPyodide"] = async ({ _loadSnapshot, _makeSnapshot }) => {
    const snapshot = _loadSnapshot && new TextDecoder().decode(await _loadSnapshot);
    starts.push(snapshot ?? (_makeSnapshot ? "afresh" : "without snapshot"));
    if (snapshot !== undefined && snapshot !== "good") throw new Error("snapshot of another build");
    return { makeMemorySnapshot: () => new TextEncoder().encode("good") } as Awaited<ReturnType<Loader["loadPyodide"]>>;
  };
  return { loader: { loadPyodide }, starts };
}

describe("startPython", () => {
  it.each([
    ["loads the memory snapshot of the first start", "good", {}, ["good"], "good"],
    ["starts afresh without a snapshot and saves one", null, {}, ["afresh"], "good"],
    ["starts afresh after a broken snapshot and replaces it", "bad", {}, ["bad", "afresh"], "good"],
    ["starts afresh if the cache cannot be read", "good", { reading: true }, ["afresh"], "good"],
    ["starts though the disk is full", null, { writing: true }, ["afresh"], undefined],
  ])("%s", async (_, snapshot, fails, expectedStarts, saved) => {
    const cached = stubCache(snapshot, fails);
    const { loader, starts } = fakeLoader();
    expect(await startPython(loader, "/python/")).toBeTruthy();
    expect(starts).toEqual(expectedStarts);
    expect(cached.get("/python/started.memory")).toBe(saved);
  });
});
