// An action started by a button: runs once at a time and shows why it failed.

import { Declined } from "../net/api.ts";
import { words } from "../words/words.svelte.ts";

/** Return why an action has failed, for the user. */
export const problemText = (error: unknown): string =>
  words.lookup("reason", error instanceof Declined ? error.reason : "other", "reason.other");

export class AsyncAction {
  busy = $state(false);
  error = $state.raw<Declined | null>(null);
  readonly message = $derived(this.error ? problemText(this.error) : "");
  /** More about the error, for those who read the server's language. */
  readonly detail = $derived(words.lang === "en" ? (this.error?.detail ?? "") : "");

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
}
