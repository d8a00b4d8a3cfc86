// Where the focus goes: to the thing to do, and near its place when the focused element is removed (browsers would move
// it to the top of the page).

let restored: Element | null = null; // what had the focus before the last dialog

/** Open a dialog. Browsers restore the focus only when a dialog is closed, not when it is removed. */
export function showModal(dialog: HTMLDialogElement): () => void {
  const before = document.activeElement;
  dialog.showModal();
  return () => restoreFocus(before);
}

/** After a dialog: focus the element that had the focus before; if it is gone or was the action bar, the thing to do,
 *  the action bar or the heading. */
export function restoreFocus(before: Element | null): void {
  const bar = document.querySelector<HTMLElement>("[data-actions]");
  restored = before;
  if (before instanceof HTMLElement && before !== document.body && before !== bar && before.isConnected) focus(before);
  else if ([document.body, bar].includes(document.activeElement as HTMLElement)) // else a dialog below has restored it
    focus((bar && thingToDo(bar)) ?? bar ?? document.querySelector("h1"));
}

/** Return the button of a bar with the key 1. */
function thingToDo(bar: HTMLElement): HTMLElement | null {
  return bar.querySelector('[aria-keyshortcuts~="1"]:not([aria-pressed])');
}

/** When the focused button of a bar is removed, focus the button now in its place among those that match `selector`, or
 *  the bar, so that Tab finds the next button. */
export function keepFocus(bar: HTMLElement, selector = ""): () => void {
  const buttons = (): HTMLElement[] => (selector ? [...bar.querySelectorAll<HTMLElement>(selector)] : []);
  let focused = bar.contains(document.activeElement);
  let index = -1;
  const onFocusIn = ({ target }: FocusEvent): void => {
    focused = bar.contains(target as Node);
    index = buttons().indexOf(target as HTMLElement);
  };
  const onFocusOut = ({ target }: FocusEvent): void => {
    queueMicrotask(() => {
      // after a click elsewhere
      if (bar.contains(target as Node) && document.activeElement === document.body) focused = false;
    });
  };
  const observer = new MutationObserver(() => {
    if (!focused || document.activeElement !== document.body) return;
    focus(buttons()[Math.min(index, buttons().length - 1)] ?? bar);
  });
  document.addEventListener("focusin", onFocusIn);
  bar.addEventListener("focusout", onFocusOut);
  observer.observe(bar, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", onFocusIn);
    bar.removeEventListener("focusout", onFocusOut);
    observer.disconnect();
  };
}

/** Focus the thing to do when it appears. A focus that the user moved elsewhere stays there. */
export function focusAction(bar: HTMLElement): () => void {
  let last: Element | null = null;
  const update = (): void => {
    const button = thingToDo(bar);
    if (button !== last && [document.body, bar, restored].includes(document.activeElement)) focus(button);
    last = button;
  };
  const observer = new MutationObserver(update);
  observer.observe(bar, { childList: true, subtree: true });
  update();
  return () => observer.disconnect();
}

/** While something is open: close it by a click elsewhere, and by Escape, which focuses its first button. */
export function closeOutside(close: () => void): (open: HTMLElement) => () => void {
  return (open) => {
    const onPointer = ({ target }: PointerEvent): void => {
      if (!open.contains(target as Node)) close();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // it skips nothing as well
      close();
      focus(open.querySelector("button"));
    };
    document.addEventListener("pointerdown", onPointer);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      document.removeEventListener("keydown", onKey);
    };
  };
}

function focus(element: HTMLElement | null): void {
  if (element && element.tabIndex < 0) element.tabIndex = -1; // makes a heading or a bar focusable, but not by Tab
  element?.focus({ preventScroll: true });
}
