// What is said at a place is as large as it may be and as small as it must be: nothing of it is cut.

const LEAST = 0.5;
const STEP = 0.06;

/** Gives what lies in a box the size that fits, as `--fit`, whenever the words or the box change. */
export function fitted(box: HTMLElement): () => void {
  const fit = (): void => {
    let size = 1 + STEP;
    do box.style.setProperty("--fit", String((size -= STEP)));
    while (size > LEAST && tooHigh(box));
  };
  const resized = new ResizeObserver(fit);
  const changed = new MutationObserver(fit);
  resized.observe(box);
  changed.observe(box, { childList: true, characterData: true, subtree: true });
  void document.fonts.ready.then(fit); // letters of another font have another breadth
  return () => {
    resized.disconnect();
    changed.disconnect();
  };
}

function tooHigh(box: HTMLElement): boolean {
  return [...box.children].reduce((sum, part) => sum + (part as HTMLElement).offsetHeight, 0) > box.clientHeight;
}
