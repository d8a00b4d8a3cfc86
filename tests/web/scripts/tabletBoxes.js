// Return the boxes of all parts of a tablet or screen, and texts that are cut off.
export default () => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const all = {};
  document.querySelectorAll("[data-seat]").forEach((seat, n) => {
    for (const selector of [".card", "[data-name]", "[data-penalties]", "[data-sentence]", ".button", "[data-bubble]"])
      seat.querySelectorAll(selector).forEach((part, m) => {
        all[`${selector} ${m} of seat ${n}`] = box(part);
      });
  });
  for (const selector of ["[data-air]", "main section:not([data-seat])", ".corner .button", "main > [data-sentence] p"])
    document.querySelectorAll(selector).forEach((part, n) => {
      all[`${selector} ${n}`] = box(part);
    });
  const tooWide = (element) => element.scrollWidth > element.clientWidth + 2;
  const tooHigh = (element) => [...element.children].reduce((sum, part) => sum + part.offsetHeight, 0) > element.clientHeight + 1;
  const cut = [
    ...[...document.querySelectorAll("[data-name], .button, [data-sentence] p")].filter(tooWide),
    ...[...document.querySelectorAll("[data-sentence]")].filter(tooHigh),
  ];
  return { all, cut: cut.map((element) => element.textContent) };
};
