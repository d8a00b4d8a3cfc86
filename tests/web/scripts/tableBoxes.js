// Return the boxes of all parts of a table, texts that are cut off, and the width of the page.
export default () => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top + scrollY, right, bottom + scrollY];
  };
  const all = {};
  const add = (root, selector, name) =>
    root.querySelectorAll(selector).forEach((element, n) => {
      all[name(n)] = box(element);
    });
  document.querySelectorAll("[data-seat]").forEach((seat, n) => {
    all[`seat ${n}`] = box(seat);
    add(seat, ".card", (m) => `card ${n}.${m} of seat`);
    add(seat, ".label", () => `name ${n} of seat`);
  });
  for (const part of [".shop", "[data-air]", "[data-sentence]", "[data-actions]"]) add(document, part, () => part);
  add(document, "[data-actions] .button", (n) => `button ${n} of actions`);
  // letters may overflow their line a little, but not by a whole line
  const fontSize = (element) => parseFloat(getComputedStyle(element).fontSize);
  const tooHigh = (element) => element.scrollHeight > element.clientHeight + 0.4 * fontSize(element);
  const tooWide = (element) => element.scrollWidth > element.clientWidth + 2;
  const texts = [...document.querySelectorAll(".name, .button, [data-sentence] p")];
  const cut = texts.filter((element) => tooHigh(element) || tooWide(element));
  return { all, cut: cut.map((element) => `${element.className}: ${element.textContent}`), width: document.documentElement.scrollWidth };
};
