// Return the area that the ink of each drawing covers, as [left, top, right, bottom] in units of the drawing.
export default (drawings) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 72 72");
  document.body.append(svg);
  const corners = ({ x, y, width, height }) => [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
  const inkOf = (part) => {
    const { fill, stroke, strokeWidth } = getComputedStyle(part);
    if (fill === "none" && stroke === "none") return [];
    const at = svg.getScreenCTM().inverse().multiply(part.getScreenCTM());
    const half = stroke === "none" ? 0 : (parseFloat(strokeWidth) / 2) * Math.sqrt(Math.abs(at.a * at.d - at.b * at.c));
    return corners(part.getBBox()).flatMap(([x, y]) => {
      const [left, top] = [at.a * x + at.c * y + at.e, at.b * x + at.d * y + at.f];
      return [[left - half, top - half], [left + half, top + half]];
    });
  };
  const boxOf = (drawing) => {
    svg.innerHTML = drawing;
    const ink = [...svg.querySelectorAll("path, circle, ellipse, line, polyline, polygon, rect")].flatMap(inkOf);
    const [xs, ys] = [0, 1].map((axis) => ink.map((point) => point[axis]));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  return Object.fromEntries(Object.entries(drawings).map(([gift, drawing]) => [gift, boxOf(drawing)]));
};
