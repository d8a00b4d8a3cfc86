// Return whether an element is inside the window and its centre is not covered.
export default (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return inside && (element.contains(hit) || hit?.contains(element));
};
