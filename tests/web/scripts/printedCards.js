// Return every printed card with its gift, its back, and the middles of both as shares of their pages.
export default (drawings) => {
  const html = (element) => element.innerHTML.replace(/<!--.*?-->/g, "");
  const known = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const gifts = new Map(
    Object.entries(drawings).map(([gift, drawing]) => [((known.innerHTML = drawing), html(known)), gift]),
  );
  const middle = (card) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((side) => card[side].baseVal.value);
    const page = card.ownerSVGElement.viewBox.baseVal;
    return [(x + width / 2) / page.width, (y + height / 2) / page.height];
  };
  const cards = (side) => [...document.querySelectorAll(`.sheet [data-side=${side}] > svg`)];
  const backs = cards("backs");
  return cards("fronts").map((front, i) => {
    const arrows = [...backs[i].querySelectorAll("[transform*=scale]")].map((arrow) => arrow.getAttribute("transform"));
    return {
      gift: gifts.get(html(front.firstElementChild)),
      back: arrows.length > 1 ? "any" : arrows[0].includes("rotate(180)") ? "left" : "right",
      front_middle: middle(front),
      back_middle: middle(backs[i]),
      upside_down: backs[i].firstElementChild.getAttribute("transform") === "rotate(180 80 50)",
    };
  });
};
