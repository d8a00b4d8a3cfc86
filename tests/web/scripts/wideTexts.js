// Return the texts of a dialog that are wider than their boxes.
export default (dialog) =>
  [...dialog.querySelectorAll("h2, header .button, .tiles, .tiles .name")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.textContent);
