// The story of the round that is over, as a page that shows it keeps it.

import { story } from "../../net/connection.ts";
import { patiently } from "../../net/retry.ts";
import type { Story, TableView } from "../../wire.ts";

export class Telling {
  told = $state.raw<Story | null>(null);

  /** It is asked for once, whatever else happens at the table; not while a verdict could be corrected, and the round go on. */
  constructor(view: () => TableView) {
    const code = $derived(view().code);
    const round = $derived(view().match?.story ? view().match!.number : null);
    $effect(() => {
      const number = round;
      this.told = null;
      if (number === null) return;
      let wanted = true;
      patiently(() => story(code, number)).then((told) => wanted && (this.told = told), () => undefined);
      return () => (wanted = false);
    });
  }
}
