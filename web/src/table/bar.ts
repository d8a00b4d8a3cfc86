// The action bar under a keyboard: keys for its buttons, and a focus that stays there when a button goes.

/** Keys are what `aria-keyshortcuts` says on the buttons. */
export function pressed(event: KeyboardEvent, bar: HTMLElement): boolean {
  if (event.repeat) return false;
  const button = bar.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (button === null) return false;
  if (document.activeElement === document.body) bar.focus({ preventScroll: true });
  button.click();
  return true;
}

/** Back to where somebody acted before a sheet lay over it, or to the bar if that was nowhere. */
export function back(before: Element | null): void {
  const there = before instanceof HTMLElement && before !== document.body && before.isConnected;
  const place = there ? before : document.querySelector<HTMLElement>("[data-actions]");
  place?.focus({ preventScroll: true });
}

/** When the button under the focus is gone the bar takes it, so that the next Tab finds the next button. */
export function staying(bar: HTMLElement): () => void {
  let here = false;
  const came = (event: FocusEvent): void => {
    here = bar.contains(event.target as Node);
  };
  const left = ({ target }: FocusEvent): void => {
    queueMicrotask(() => {
      if (bar.contains(target as Node) && document.activeElement === document.body) here = false; // somebody clicked elsewhere
    });
  };
  const changed = new MutationObserver(() => {
    if (here && document.activeElement === document.body) bar.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", came);
  bar.addEventListener("focusout", left);
  changed.observe(bar, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", came);
    bar.removeEventListener("focusout", left);
    changed.disconnect();
  };
}
