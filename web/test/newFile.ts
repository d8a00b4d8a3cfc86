// Files of tests share a worker, which starts once, but no state: each loads all modules anew.

import { vi } from "vitest";

vi.resetModules();
vi.unstubAllGlobals();
vi.restoreAllMocks();
vi.useRealTimers();
