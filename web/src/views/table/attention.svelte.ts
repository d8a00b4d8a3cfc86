// Whether the player looks at the table: no menu is open and the page is visible.

import { untrack } from "svelte";

let dialogs = $state(0);
let hidden = $state(document.hidden);
document.addEventListener("visibilitychange", () => (hidden = document.hidden));

export const isDistracted = (): boolean => dialogs > 0 || hidden;

/** Attach to what is read instead of the table. */
export function distract(): () => void {
  const count = (n: number): void => untrack(() => void (dialogs += n));
  count(1);
  return () => count(-1);
}
