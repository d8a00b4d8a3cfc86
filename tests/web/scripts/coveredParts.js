// Return the parts of the table that an element covers.
export default (selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  const overlaps = (box) => box.left < right - 1 && box.right > left + 1 && box.top < bottom - 1 && box.bottom > top + 1;
  const parts = [...document.querySelectorAll(".name, [data-penalties], .card, .shop, [data-air], header .button")];
  return parts.filter((part) => overlaps(part.getBoundingClientRect())).map((part) => part.className);
};
