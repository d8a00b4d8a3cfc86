// Shrinks text until it fits its box.

const MIN_SCALE = 0.42;
const STEP = 0.06;

/** Keep `--fit` at the largest scale at which the content fits, whenever the text or the box changes. */
export function fitText(box: HTMLElement): () => void {
  const fit = (): void => {
    let scale = 1 + STEP;
    do box.style.setProperty("--fit", String((scale -= STEP)));
    while (scale > MIN_SCALE && overflows(box));
  };
  const fitSoon = (): number => requestAnimationFrame(fit); // the letters' size may depend on the window
  const resizeObserver = new ResizeObserver(fit);
  const contentObserver = new MutationObserver(fit);
  resizeObserver.observe(box);
  contentObserver.observe(box, { childList: true, characterData: true, subtree: true });
  void document.fonts.ready.then(fit); // another font has other widths
  addEventListener("resize", fitSoon);
  return () => {
    removeEventListener("resize", fitSoon);
    resizeObserver.disconnect();
    contentObserver.disconnect();
  };
}

function overflows(box: HTMLElement): boolean {
  const high = [...box.children].reduce((sum, part) => sum + (part as HTMLElement).offsetHeight, 0);
  const texts = [...box.querySelectorAll<HTMLElement>("p, [data-bubble], [data-bubble] > span")];
  const widest = Math.max(...texts.map((text) => text.offsetWidth)); // also if they are turned, on a tablet
  return high > box.clientHeight || widest > box.clientWidth + 1;
}
