// The action bar under a keyboard: keys for its buttons.

/** Keys are what `aria-keyshortcuts` says on the buttons. */
export function pressed(event: KeyboardEvent, bar: HTMLElement): boolean {
  if (event.repeat) return false;
  const button = bar.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (button === null) return false;
  if (document.activeElement === document.body) bar.focus({ preventScroll: true });
  button.click();
  return true;
}
