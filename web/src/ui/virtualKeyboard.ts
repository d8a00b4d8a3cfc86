// A phone's keyboard covers the lower half of a page without telling its layout; only the visual viewport knows.

const LOW = 330; // below this there is no room for a title

/** Keep a sheet that stands on the bottom edge above the keyboard, and no higher than what is left. */
export function aboveKeyboard(sheet: HTMLElement): (() => void) | undefined {
  const seen = window.visualViewport;
  if (!seen) return undefined;
  const fit = (): void => {
    const zoomed = seen.scale > 1.05; // whoever looks closely moves the window, not the sheet
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
