// Loads the story of the finished round for a results page.

import { fetchStory } from "../../net/api.ts";
import { retryTransient } from "../../net/retry.ts";
import type { Story, TableView } from "../../made/wire.ts";

export class StoryLoader {
  story = $state.raw<Story | null>(null);

  /** Load it once per round, and not while the last verdict can still be corrected. */
  constructor(view: () => TableView) {
    const code = $derived(view().code);
    const round = $derived(view().match?.story ? view().match!.number : null);
    $effect(() => {
      const number = round;
      this.story = null;
      if (number === null) return;
      let wanted = true;
      const loaded = retryTransient(() => fetchStory(code, number), () => wanted);
      loaded.then((story) => wanted && (this.story = story), () => undefined);
      return () => (wanted = false);
    });
  }
}
