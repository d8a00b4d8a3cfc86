import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";

describe("router", () => {
  it("hands an intent to its route only", async () => {
    vi.stubGlobal("location", { origin: "http://here", pathname: "/", hash: "" });
    vi.stubGlobal("history", { pushState: () => undefined });
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("scrollTo", () => undefined);
    const { router } = await import("../../src/app/router.svelte.ts");
    router.go("/t/gone", { joinAs: "Ada" });
    expect(router.route).toEqual({ page: "table", code: "GONE", intent: { joinAs: "Ada" } });
    router.go("/t/k7qx", { commands: [{ do: "sit", name: "Ada" }] });
    expect(router.route).toEqual({ page: "table", code: "K7QX", intent: { commands: [{ do: "sit", name: "Ada" }] } });
    router.go("/t/hats");
    expect(router.route).toEqual({ page: "table", code: "HATS", intent: {} });
  });
});

describe("links", () => {
  it("are made by href() and shareUrl(), so the app may be in any folder", () => {
    const source = new URL("../../src/", import.meta.url);
    const files = readdirSync(source, { recursive: true, encoding: "utf-8" });
    const absolute = /(href|src)="\/|(href|src)=\{`\/|location\.origin/;
    const pages = files.filter((file) => file.endsWith(".svelte"));
    const wrong = pages.filter((file) => absolute.test(readFileSync(new URL(file, source), "utf-8")));
    expect(wrong).toEqual([]);
  });
});
