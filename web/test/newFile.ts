// Files of tests share a worker, which starts once, but no state: each loads all modules anew. After each test, stubs,
// mocks and fake timers go.

import { afterEach, vi } from "vitest";

vi.resetModules();
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
