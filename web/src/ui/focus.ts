// A focus that is not lost when what had it goes: without a mouse, lost is back at the top of the page.

/** Back to where somebody acted before a sheet lay over it; if that is gone or was nowhere, to what they can do, or to the heading. */
export function back(before: Element | null): void {
  if (before instanceof HTMLElement && before !== document.body && before.isConnected) take(before);
  else if (document.activeElement === document.body) // else a sheet below has given it back already
    take(document.querySelector<HTMLElement>("[data-actions]") ?? document.querySelector("h1"));
}

/** When the button under the focus is gone the bar takes it, so that the next Tab finds the next button; among buttons of one
 * kind it is the one that stands there now. */
export function staying(bar: HTMLElement, kind = ""): () => void {
  const all = (): HTMLElement[] => (kind ? [...bar.querySelectorAll<HTMLElement>(kind)] : []);
  let here = false;
  let at = -1;
  const came = ({ target }: FocusEvent): void => {
    here = bar.contains(target as Node);
    at = all().indexOf(target as HTMLElement);
  };
  const left = ({ target }: FocusEvent): void => {
    queueMicrotask(() => {
      if (bar.contains(target as Node) && document.activeElement === document.body) here = false; // somebody clicked elsewhere
    });
  };
  const changed = new MutationObserver(() => {
    if (here && document.activeElement === document.body) take(all()[Math.min(at, all().length - 1)] ?? bar);
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

function take(place: HTMLElement | null): void {
  if (place && place.tabIndex < 0) place.tabIndex = -1; // a heading or a bar can have the focus, and is passed by with Tab
  place?.focus({ preventScroll: true });
}
