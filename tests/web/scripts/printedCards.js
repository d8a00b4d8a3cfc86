// Return every printed card with its gift, its back, and the middles of both as shares of their pages.
export default (drawings) => {
  const html = (element) => element.innerHTML.replace(/<!--.*?-->/g, "");
  const known = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const gifts = new Map(Object.entries(drawings).map(([gift, drawing]) => [((known.innerHTML = drawing), html(known)), gift]));
  const middle = (card) => {
    const [box, page] = [card.getBoundingClientRect(), card.ownerSVGElement.getBoundingClientRect()];
    return [(box.left + box.width / 2 - page.left) / page.width, (box.top + box.height / 2 - page.top) / page.height];
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
