// Message boxes at a rendezvous, and at other services only while it does not answer.

import { RendezvousRefusal } from "./httpBoxes.ts";
import { linkedSignal } from "./linkedSignal.ts";
import type { BoxMessage, MessageBoxes } from "./messageBoxes.ts";

const PUT_TIMEOUT = 2500; // of the six seconds of a guest's call
const RETRY_INTERVAL = 20_000; // then the rendezvous is tried again

export class FallbackBoxes implements MessageBoxes {
  readonly #rendezvous: MessageBoxes;
  readonly #others: MessageBoxes;
  #failedAt = -RETRY_INTERVAL;

  constructor(rendezvous: MessageBoxes, others: MessageBoxes) {
    this.#rendezvous = rendezvous;
    this.#others = others;
  }

  async put(box: string, body: string): Promise<void> {
    if (this.#untilRetry() > 0) return this.#others.put(box, body);
    const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("rendezvous: timeout")), PUT_TIMEOUT));
    try {
      await Promise.race([this.#rendezvous.put(box, body), timeout]);
    } catch (error) {
      this.#fail(error);
      await this.#others.put(box, body);
    }
  }

  async *take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    for (;;) {
      try {
        if (this.#untilRetry() <= 0) yield* this.#rendezvous.take(box, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#fail(error);
      }
      yield* this.#takeFromOthers(box, signal);
    }
  }

  /** Yield what the other services have until the rendezvous is to be tried again. */
  async *#takeFromOthers(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    const limited = linkedSignal(signal, Math.max(0, this.#untilRetry()));
    try {
      yield* this.#others.take(box, limited.signal);
    } catch (error) {
      if (signal.aborted || !limited.signal.aborted) throw error;
    } finally {
      limited.end();
    }
  }

  #untilRetry(): number {
    return this.#failedAt + RETRY_INTERVAL - performance.now();
  }

  /** Remember that the rendezvous does not answer. A refusal is an answer. */
  #fail(error: unknown): void {
    if (error instanceof RendezvousRefusal) throw error;
    this.#failedAt = performance.now();
  }
}
