// The texts that were seen last.

export class RecentTexts {
  readonly #texts = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Remember a text, and return whether it is new. */
  add(text: string): boolean {
    if (this.#texts.has(text)) return false;
    this.#texts.add(text);
    if (this.#texts.size > this.#most) this.#texts.delete(this.#texts.values().next().value!);
    return true;
  }
}
