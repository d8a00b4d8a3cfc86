// The drawings of all gifts, loaded in one file before the game, so that no request shows which gift is looked at.

import { fetchAsset } from "../net/fetchAsset.ts";
import url from "../made/drawings.json?url";

class Drawings {
  #all = $state.raw<Record<string, string>>({});
  #loading: Promise<void> | undefined;

  load(): Promise<void> {
    this.#loading ??= fetchAsset<Record<string, string>>(url).then((all) => {
      this.#all = all;
    });
    return this.#loading;
  }

  /** Add some drawings, for a page that does not need all of them. */
  add(some: Record<string, string>): void {
    this.#all = { ...some, ...this.#all };
  }

  /** Object URLs of the pictures of own gifts. */
  own = $state.raw<Record<string, string>>({});

  of(gift: string): string {
    const own = this.own[gift];
    return own ? `<image href="${own}" x="2" y="2" width="68" height="68"/>` : (this.#all[gift] ?? "");
  }
}

export const drawings = new Drawings();
