// All drawings come in one file, fetched before anybody plays: no request ever tells which gift is looked at.

import url from "../made/drawings.json?url";

class Drawings {
  #all = $state.raw<Record<string, string>>({});
  #coming: Promise<void> | undefined;

  load(): Promise<void> {
    this.#coming ??= fetch(url)
      .then((answer) => answer.json())
      .then((all: Record<string, string>) => {
        this.#all = all;
      })
      .catch(() => {
        this.#coming = undefined; // no network: the next table tries again
      });
    return this.#coming;
  }

  of(gift: string): string {
    return this.#all[gift] ?? "";
  }
}

export const drawings = new Drawings();
