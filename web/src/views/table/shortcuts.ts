// Keyboard shortcuts of the action bar.

import type { May } from "../../wire.ts";
import type { Giving } from "./giving.svelte.ts";

/** Press the button with this shortcut, or begin to name a gift with the typed letter. */
export function handleShortcut(event: KeyboardEvent, giving: Giving, give?: May): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || event.target instanceof HTMLInputElement) return;
  if (pressButton(event) || giving.type(give, event.key)) event.preventDefault();
}

/** Press the button whose `aria-keyshortcuts` is this key. Return whether there is one. */
function pressButton(event: KeyboardEvent): boolean {
  if (event.repeat) return false;
  const button = document.querySelector<HTMLElement>(`[data-actions] [aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (button === null) return false;
  if (document.activeElement === document.body) button.closest<HTMLElement>("[data-actions]")!.focus({ preventScroll: true });
  button.click();
  return true;
}
