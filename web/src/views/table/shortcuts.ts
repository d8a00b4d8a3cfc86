// Keyboard shortcuts: the buttons of the action bar, and what makes the live region repeat the table.

import { comesTooSoon } from "../../ui/grace.ts";
import type { May } from "../../wire.ts";
import type { Giving } from "./giving.svelte.ts";

/** Return whether a key skips a reveal. Enter and space on a button elsewhere, as in the header, press that one. */
export function isSkip({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return false;
  if (key === "Escape") return true;
  const other = target instanceof Element && target.closest("button, a, input") !== null && target.closest("[data-actions]") === null;
  return (key === "Enter" || key === " ") && !other;
}

/** Press the button with this shortcut, or begin to name a gift with the typed letter. In a field, only Escape is one. */
export function handleShortcut(event: KeyboardEvent, giving?: Giving, give?: May): void {
  if (isHeld(event)) return event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), select");
  if (document.querySelector("dialog[open]") || (isField && event.key !== "Escape")) return;
  if (pressButton(event) || giving?.type(give, event.key)) event.preventDefault();
}

/** A key that is held down presses one button, and not the next one, which gets the focus. */
function isHeld({ repeat, key, target }: KeyboardEvent): boolean {
  return repeat && (key === "Enter" || key === " ") && target instanceof Element && target.closest("[data-actions]") !== null;
}

/** Press the button whose `aria-keyshortcuts` have this key, unless it has just appeared. Return whether there is one. */
function pressButton(event: KeyboardEvent): boolean {
  if (event.repeat || (event.key === " " && (event.target as Element).closest("button, a, input"))) return false; // which it presses
  const key = event.key === " " ? "Space" : CSS.escape(event.key);
  const button = document.querySelector<HTMLElement>(`:is([data-actions] *, [data-repeat], header *)[aria-keyshortcuts~="${key}"]`);
  if (button === null) return false;
  if (event.key !== "Escape" && comesTooSoon(button)) return true;
  if (document.activeElement === document.body) button.closest<HTMLElement>("[data-actions]")?.focus({ preventScroll: true });
  button.click();
  return true;
}
