// Return how many parts of the table the vote prompt overlaps.
export default () => {
  const prompt = document.querySelector("[data-prompt=vote] [role=group]").getBoundingClientRect();
  const above = ({ top, bottom }) => bottom <= prompt.top + 1 || top >= prompt.bottom - 1;
  const beside = ({ left, right }) => right <= prompt.left || left >= prompt.right;
  const boxes = [...document.querySelectorAll("[data-seat], .shop, [data-sentence]")].map((part) =>
    part.getBoundingClientRect(),
  );
  return boxes.filter((box) => !above(box) && !beside(box)).length;
};
