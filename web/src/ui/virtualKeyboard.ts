// Keeps a dialog above a phone's keyboard, which covers the page without changing its layout.

const LOW = 330; // pixels; below this there is no room for a title

/** Keep a dialog at the bottom edge above the keyboard, and no higher than the visible rest of the page. */
export function aboveKeyboard(sheet: HTMLElement): (() => void) | undefined {
  const seen = window.visualViewport;
  if (!seen) return undefined;
  const fit = (): void => {
    const zoomed = seen.scale > 1.05; // pinch zoom moves the viewport, not the dialog
    const covered = zoomed ? 0 : Math.max(0, document.documentElement.clientHeight - seen.offsetTop - seen.height);
    sheet.style.bottom = `${covered}px`;
    sheet.style.maxHeight = covered > 0 ? `${seen.height - 4}px` : "";
    sheet.classList.toggle("low", covered > 0 && seen.height < LOW);
  };
  fit();
  seen.addEventListener("resize", fit);
  seen.addEventListener("scroll", fit);
  return () => {
    seen.removeEventListener("resize", fit);
    seen.removeEventListener("scroll", fit);
  };
}
