// Something that somebody asked for by a button and that may fail: once at a time, and why it failed is told.

import { Declined } from "../net/connection.ts";
import { words } from "../words/words.svelte.ts";

export class Trying {
  busy = $state(false);
  problem = $state.raw<Declined | null>(null);

  readonly do = async (what: () => unknown): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      await what();
    } catch (error) {
      this.problem = error instanceof Declined ? error : new Declined("other");
    } finally {
      this.busy = false;
    }
  };

  /** Why it failed, in words; empty where nothing did. */
  get said(): string {
    return this.problem ? words.saying("reason", this.problem.reason, "reason.other") : "";
  }
}
