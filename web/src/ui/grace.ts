// A button that has just appeared takes no key or tap for a moment: the press may have been meant for what was there
// before.

const GRACE_MS = 550;
const FASTEST = 2; // faster tables are played by scripts

/** Return an attachment for all buttons that appear inside an element, at the speed of a table. */
export function graceAt(speed: number | null | undefined): (root: HTMLElement) => (() => void) | undefined {
  return (speed ?? 1) > FASTEST ? () => undefined : giveGrace;
}

/** Return whether a press of this button, or of one inside this element, comes too soon. */
export function comesTooSoon(element: Element): boolean {
  return element.matches("[data-fresh]") || element.querySelector("[data-fresh]") !== null;
}

function giveGrace(root: HTMLElement): () => void {
  const seen = new WeakSet<Element>();
  const update = (): void => {
    for (const button of root.querySelectorAll("button:not([aria-pressed])")) { // a vote can be changed
      if (!seen.has(button)) begin(button);
      seen.add(button);
    }
  };
  const onClick = (event: MouseEvent): void => {
    const target = event.target as Element;
    if (!event.isTrusted || !comesTooSoon(target.closest("button") ?? target)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const observer = new MutationObserver(update);
  observer.observe(root, { childList: true, subtree: true });
  root.addEventListener("click", onClick, true);
  update();
  return () => {
    observer.disconnect();
    root.removeEventListener("click", onClick, true);
  };
}

/** Mark a button, so that taps do not hit it (app.css), until the time is over. */
function begin(button: Element): void {
  button.toggleAttribute("data-fresh", true);
  setTimeout(() => button.removeAttribute("data-fresh"), GRACE_MS);
}
