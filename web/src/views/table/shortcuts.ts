// The action bar under a keyboard: keys for its buttons, wherever they are written on them.

import type { May } from "../../wire.ts";
import type { Giving } from "./giving.svelte.ts";

/** A key does what the button does that it is written on, or it is the first letter of what somebody gives. */
export function keyed(event: KeyboardEvent, giving: Giving, give?: May): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || event.target instanceof HTMLInputElement) return;
  if (pressed(event) || giving.type(give, event.key)) event.preventDefault();
}

/** Keys are what `aria-keyshortcuts` says on the buttons. */
function pressed(event: KeyboardEvent): boolean {
  if (event.repeat) return false;
  const button = document.querySelector<HTMLElement>(`[data-actions] [aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (button === null) return false;
  if (document.activeElement === document.body) button.closest<HTMLElement>("[data-actions]")!.focus({ preventScroll: true });
  button.click();
  return true;
}
