// Shrinks text until it fits its box.

const MIN_SCALE = 0.5;
const STEP = 0.06;

/** Keep `--fit` at the largest scale at which the content fits, whenever the text or the box changes. */
export function fitText(box: HTMLElement): () => void {
  const fit = (): void => {
    let scale = 1 + STEP;
    do box.style.setProperty("--fit", String((scale -= STEP)));
    while (scale > MIN_SCALE && overflows(box));
  };
  const resizeObserver = new ResizeObserver(fit);
  const contentObserver = new MutationObserver(fit);
  resizeObserver.observe(box);
  contentObserver.observe(box, { childList: true, characterData: true, subtree: true });
  void document.fonts.ready.then(fit); // another font has other widths
  return () => {
    resizeObserver.disconnect();
    contentObserver.disconnect();
  };
}

function overflows(box: HTMLElement): boolean {
  const high = [...box.children].reduce((sum, part) => sum + (part as HTMLElement).offsetHeight, 0);
  const isTooWide = (part: Element): boolean => part.getBoundingClientRect().width > box.clientWidth + 1;
  return high > box.clientHeight || [...box.querySelectorAll("p, [data-bubble] > span")].some(isTooWide);
}
