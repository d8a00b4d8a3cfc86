import { beforeEach, describe, expect, it, vi } from "vitest";
import { fetchAsset, loadChunk } from "../../src/net/fetchAsset.ts";
import { stubStorage } from "../storage.ts";

type Answer = Partial<Response> | "lost" | "silent";
const file = (content: unknown): Answer => ({ ok: true, status: 200, json: async () => content });
const no = (status: number): Answer => ({ ok: false, status });
const cut = { ok: true, status: 200, json: () => Promise.reject(new Error("cut off")) };

let reloads: number;
let requests: string[];

/** Stub fetch with answers in order; the last one repeats. */
function network(...answers: Answer[]): void {
  vi.stubGlobal("fetch", (url: string, { method = "GET", signal }: RequestInit) => {
    requests.push(`${method} ${url}`);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer === "lost") return Promise.reject(new TypeError("Failed to fetch"));
    if (answer !== "silent") return Promise.resolve(answer);
    return new Promise((_, stopped) => signal?.addEventListener("abort", () => stopped(new Error("aborted"))));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  [reloads, requests] = [0, []];
  vi.stubGlobal("location", { reload: () => (reloads += 1) });
  stubStorage("sessionStorage");
});

describe("fetchAsset", () => {
  it("retries until the file arrives and reports each miss", async () => {
    network("lost", no(502), cut, file({ hat: "drawn" }));
    let misses = 0;
    const wanted = fetchAsset("/a.json", () => (misses += 1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await wanted).toEqual({ hat: "drawn" });
    expect(misses).toBe(3);
    expect(reloads).toBe(0);
  });

  it("times out if the network does not answer", async () => {
    network("silent", file([1]));
    const wanted = fetchAsset("/a.json");
    await vi.advanceTimersByTimeAsync(9000);
    expect(await wanted).toEqual([1]);
  });

  it("reloads the page once if a release removed the file", async () => {
    network(no(404), file(null), no(404), no(404), file([2]));
    void fetchAsset("/old.json");
    await vi.advanceTimersByTimeAsync(1000);
    expect([requests, reloads]).toEqual([["GET /old.json", "HEAD /"], 1]);
    const again = fetchAsset("/old.json"); // in the reloaded page
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await again).toEqual([2]);
    expect(reloads).toBe(1);
  });
});

describe("loadChunk", () => {
  const gone = (): Promise<never> => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

  it("reloads the page for a missing chunk, then fails", async () => {
    network(file(null));
    void loadChunk(gone());
    await vi.advanceTimersByTimeAsync(1);
    expect(reloads).toBe(1);
    await expect(loadChunk(gone())).rejects.toThrow();
    vi.setSystemTime(Date.now() + 3_600_000); // another release
    void loadChunk(gone());
    await vi.advanceTimersByTimeAsync(1);
    expect(reloads).toBe(2);
  });

  it.each([["lost" as const], [no(503)]])("does not reload while the server is away: %o", async (answer) => {
    network(answer);
    await expect(loadChunk(gone())).rejects.toThrow();
    expect(reloads).toBe(0);
  });

  it("does not reload without session storage", async () => {
    const setItem = () => { throw new DOMException("no", "SecurityError"); };
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem });
    network(file(null));
    await expect(loadChunk(gone())).rejects.toThrow();
    expect(reloads).toBe(0);
  });
});
