// Return the gifts of the picker: name, height and number of shapes of the drawing.
export default () =>
  [...document.querySelectorAll("[data-all] button")].map((tile) => {
    const drawing = tile.querySelector("svg");
    return { name: tile.textContent.trim(), height: drawing.getBoundingClientRect().height, lines: drawing.childElementCount };
  });
