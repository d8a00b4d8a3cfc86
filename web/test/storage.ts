import { vi } from "vitest";

/** Stub a storage of the browser with an empty one. */
export function stubStorage(name: "localStorage" | "sessionStorage"): void {
  const stored = new Map<string, string>();
  const setItem = (key: string, value: string) => stored.set(key, value);
  vi.stubGlobal(name, { getItem: (key: string) => stored.get(key) ?? null, setItem });
}
