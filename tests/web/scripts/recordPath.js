// Record the drawn path of a move in `window.path`: its length, and whether it is inside its drawing.
export default () =>
  new MutationObserver(() => {
    const path = document.querySelector("svg.path path");
    if (!path) return;
    const { width, height, left, top, right, bottom } = path.getBoundingClientRect();
    const drawing = path.ownerSVGElement.getBoundingClientRect();
    const across = left >= drawing.left && right <= drawing.right;
    const inside = across && top >= drawing.top && bottom <= drawing.bottom && drawing.height > 100;
    window.path = [Math.hypot(width, height), inside];
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
