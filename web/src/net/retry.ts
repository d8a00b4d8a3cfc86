// What people need is asked for again while the network is away.

import { Declined } from "./connection.ts";

const PAUSES = [500, 1000, 2000, 4000, 8000, 16000]; // after each try

/** Whatever else stands against it is said at once. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await ask();
    } catch (problem) {
      if ((problem as Declined).reason !== "offline") throw problem;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  throw new Declined("offline");
}
