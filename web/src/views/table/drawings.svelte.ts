// All drawings come in one file, fetched before anybody plays: no request ever tells which gift is looked at.

import { fetched } from "../../net/fetchAsset.ts";
import url from "../../made/drawings.json?url";

class Drawings {
  #all = $state.raw<Record<string, string>>({});
  #coming: Promise<void> | undefined;

  load(): Promise<void> {
    this.#coming ??= fetched<Record<string, string>>(url).then((all) => {
      this.#all = all;
    });
    return this.#coming;
  }

  /** Pictures of own gifts: addresses inside this page, which came all at once. */
  own = $state.raw<Record<string, string>>({});

  of(gift: string): string {
    const own = this.own[gift];
    return own ? `<image href="${own}" x="2" y="2" width="68" height="68"/>` : (this.#all[gift] ?? "");
  }
}

export const drawings = new Drawings();
