import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { arrived, fetched } from "../../src/net/fetchAsset.ts";
import { drawings } from "../../src/views/table/drawings.svelte.ts";

type Answer = Partial<Response> | "lost" | "silent";
const file = (content: unknown): Answer => ({ ok: true, status: 200, json: async () => content });
const no = (status: number): Answer => ({ ok: false, status });
const cut = { ok: true, status: 200, json: () => Promise.reject(new Error("cut off")) };

let reloads: number;
let asked: string[];

/** What the network answers, one after the other; the last answer stays. */
function network(...answers: Answer[]): void {
  vi.stubGlobal("fetch", (url: string, { method = "GET", signal }: RequestInit) => {
    asked.push(`${method} ${url}`);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer === "lost") return Promise.reject(new TypeError("Failed to fetch"));
    if (answer !== "silent") return Promise.resolve(answer);
    return new Promise((_, stopped) => signal?.addEventListener("abort", () => stopped(new Error("aborted"))));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  [reloads, asked] = [0, []];
  vi.stubGlobal("location", { reload: () => (reloads += 1) });
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a file of the build", () => {
  it("is asked for until it comes, and each miss is told", async () => {
    network("lost", no(502), cut, file({ hat: "drawn" }));
    let misses = 0;
    const wanted = fetched("/a.json", () => (misses += 1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await wanted).toEqual({ hat: "drawn" });
    expect(misses).toBe(3);
    expect(reloads).toBe(0);
  });

  it("is not waited for without end where the network answers nothing", async () => {
    network("silent", file([1]));
    const wanted = fetched("/a.json");
    await vi.advanceTimersByTimeAsync(9000);
    expect(await wanted).toEqual([1]);
  });

  it("that a release has taken away loads the page anew, once: where that does not help it is asked for again", async () => {
    network(no(404), file(null), no(404), no(404), file([2]));
    void fetched("/old.json");
    await vi.advanceTimersByTimeAsync(1000);
    expect([asked, reloads]).toEqual([["GET /old.json", "HEAD /"], 1]);
    const again = fetched("/old.json"); // in the page that was loaded anew
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await again).toEqual([2]);
    expect(reloads).toBe(1);
  });

  it("may be the drawings, which come to this very table", async () => {
    const url = `.${(await import("../../src/made/drawings.json?url")).default}`;
    network("lost", file(JSON.parse(readFileSync(url, "utf-8"))));
    void drawings.load();
    await vi.advanceTimersByTimeAsync(1000);
    expect(drawings.of("hat")).toContain("<");
  });
});

describe("a part of the page", () => {
  const gone = (): Promise<never> => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

  it("is used as it comes", async () => {
    expect(await arrived(Promise.resolve(7))).toBe(7);
  });

  it("that a release has taken away loads the page anew, and if it is missing there too, that is said", async () => {
    network(file(null));
    void arrived(gone());
    await vi.advanceTimersByTimeAsync(1);
    expect(reloads).toBe(1);
    await expect(arrived(gone())).rejects.toThrow();
    vi.setSystemTime(Date.now() + 3_600_000); // another release
    void arrived(gone());
    await vi.advanceTimersByTimeAsync(1);
    expect(reloads).toBe(2);
  });

  it.each([["lost" as const], [no(503)]])("is not looked for by leaving a page that works while nobody answers: %o", async (answer) => {
    network(answer);
    await expect(arrived(gone())).rejects.toThrow();
    expect(reloads).toBe(0);
  });

  it("never goes round and round where the browser keeps nothing", async () => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => { throw new DOMException("no", "SecurityError"); } });
    network(file(null));
    await expect(arrived(gone())).rejects.toThrow();
    expect(reloads).toBe(0);
  });
});
