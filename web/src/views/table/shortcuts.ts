// Keyboard shortcuts: the buttons of the action bar, and what makes the live region repeat the table.

import { comesTooSoon } from "../../ui/grace.ts";
import type { May } from "../../made/wire.ts";
import type { Giving } from "./giving.svelte.ts";

/** Return whether a key skips a reveal. Enter and space on a button elsewhere, as in the header, press that one. */
export function isSkip({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return false;
  if (key === "Escape") return true;
  const isElsewhere = target instanceof Element && !target.closest("[data-actions]");
  return (key === "Enter" || key === " ") && !(isElsewhere && target.closest("button, a, input"));
}

/** Press the button with this shortcut, or begin to name a gift with a letter. In a field, only Escape is one. */
export function handleShortcut(event: KeyboardEvent, giving?: Giving, give?: May): void {
  if (isHeld(event)) return event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), select");
  if (document.querySelector("dialog[open]") || (isField && event.key !== "Escape")) return;
  if (pressButton(event) || giving?.type(give, event.key)) event.preventDefault();
}

/** A key that is held down presses one button, and not the next one, which gets the focus. */
function isHeld({ repeat, key, target }: KeyboardEvent): boolean {
  if (!repeat || (key !== "Enter" && key !== " ")) return false;
  return target instanceof Element && target.closest("[data-actions]") !== null;
}

const BUTTONS = ":is([data-actions] *, [data-repeat], header *)";

/** Press the button whose `aria-keyshortcuts` have this key, unless it just appeared. Return whether there is one. */
function pressButton(event: KeyboardEvent): boolean {
  const isSpace = event.key === " "; // which presses the button with the focus
  if (event.repeat || (isSpace && (event.target as Element).closest("button, a, input"))) return false;
  const key = isSpace ? "Space" : CSS.escape(event.key);
  const button = document.querySelector<HTMLElement>(`${BUTTONS}[aria-keyshortcuts~="${key}"]`);
  if (button === null) return false;
  if (event.key !== "Escape" && comesTooSoon(button)) return true;
  const bar = button.closest<HTMLElement>("[data-actions]");
  if (document.activeElement === document.body) bar?.focus({ preventScroll: true });
  button.click();
  return true;
}
