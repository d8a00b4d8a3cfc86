// Retry with backoff and jitter while the network or the server cannot answer.

import { Declined } from "./api.ts";

const RETRY = 700;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 16_000;
const TRANSIENT = new Set(["offline", "busy", "going_away", "too_fast", "too_many_tries", "too_many_guests"]);

/** Return a wait that differs between clients, so that they do not retry all at once. */
export const jitter = (ms: number): number => ms * (0.75 + Math.random() / 2);

/** Wait before the next try. */
export const pause = (ms = RETRY): Promise<void> => new Promise((resolve) => setTimeout(resolve, jitter(ms)));

/** Repeat a request while it fails for a transient reason and is `wanted`. Any other error is thrown at once. */
export async function retryTransient<T>(request: () => Promise<T>, wanted: () => boolean): Promise<T> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof Declined && TRANSIENT.has(error.reason))) throw error;
      await pause(wait);
      if (!wanted()) throw error;
    }
  }
}
