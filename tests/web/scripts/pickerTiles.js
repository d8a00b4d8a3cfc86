// Return the gifts of the picker: name without invisible letters, height and number of shapes of the drawing.
export default () =>
  [...document.querySelectorAll("[data-all] button")].map((tile) => {
    const drawing = tile.querySelector("svg");
    return {
      name: tile.textContent.replace(/[\u00ad\u2060]/g, "").trim(),
      height: drawing.getBoundingClientRect().height,
      lines: drawing.childElementCount,
    };
  });
