// Return which elements of the first selector overlap elements of the second.
export default ([selector, others]) => {
  const box = (element) => element.getBoundingClientRect();
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const nested = (a, b) => a.contains(b) || b.contains(a);
  return [...document.querySelectorAll(selector)].flatMap((one) =>
    [...document.querySelectorAll(others)]
      .filter((other) => !nested(one, other) && !apart(box(one), box(other)))
      .map((other) => `${one.textContent.trim()} over ${other.className} ${other.textContent.trim().slice(0, 30)}`),
  );
};
