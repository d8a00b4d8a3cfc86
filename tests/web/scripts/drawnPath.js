// Return the length of the drawn path of a move, and whether it is inside its drawing.
export default (path) => {
  const { width, height, left, top, right, bottom } = path.getBoundingClientRect();
  const drawing = path.ownerSVGElement.getBoundingClientRect();
  const across = left >= drawing.left && right <= drawing.right;
  return [Math.hypot(width, height), across && top >= drawing.top && bottom <= drawing.bottom && drawing.height > 100];
};
