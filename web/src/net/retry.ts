// Retry with backoff while the network is away.

import { Declined } from "./api.ts";

const BACKOFF = [500, 1000, 2000, 4000, 8000, 16000];

/** Repeat a request while it fails as offline. Any other error is thrown at once. */
export async function retryWhileOffline<T>(request: () => Promise<T>): Promise<T> {
  for (const wait of BACKOFF) {
    try {
      return await request();
    } catch (error) {
      if ((error as Declined).reason !== "offline") throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  throw new Declined("offline");
}
