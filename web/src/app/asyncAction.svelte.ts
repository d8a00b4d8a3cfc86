// An action started by a button: runs once at a time and shows why it failed.

import { Declined } from "../net/api.ts";
import { words } from "../words/words.svelte.ts";

export class AsyncAction {
  busy = $state(false);
  error = $state.raw<Declined | null>(null);

  /** Run an action unless another one is running. */
  readonly run = async (action: () => unknown): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    try {
      await action();
    } catch (error) {
      this.error = error instanceof Declined ? error : new Declined("other");
    } finally {
      this.busy = false;
    }
  };

  /** More about the error, for those who read the server's language. */
  get detail(): string {
    return words.lang === "en" ? (this.error?.detail ?? "") : "";
  }

  /** The error as a text, or empty. */
  get message(): string {
    return this.error ? words.lookup("reason", this.error.reason, "reason.other") : "";
  }
}
