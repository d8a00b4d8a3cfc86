// Look at every beat, with its animations set to each eighth of their time: while a wrapped gift is in play and a receiver is outlined, its arrow
// must mean that player rather than any other, and its label must name them. Count the looks in `window.arrows`, and keep what disagrees.
export default () => {
  const SLACK = 2; // degrees
  const STEPS = 8;
  const found = (window.arrows = { looks: 0, faults: [] });
  const centre = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  /** The direction of an arrow on the screen: all rotations up to the root. */
  const direction = (arrow) => {
    let degrees = 0;
    for (let one = arrow; one !== null; one = one.parentElement) {
      const { rotate, transform } = getComputedStyle(one);
      const { a, b } = new DOMMatrix(transform);
      degrees += (parseFloat(rotate) || 0) + (Math.atan2(b, a) * 180) / Math.PI;
    }
    return degrees;
  };
  const off = (card, degrees, seat) => {
    const [from, to] = [centre(card), centre(seat.querySelector("[data-face]"))];
    const turn = degrees - (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    return Math.abs(turn - 360 * Math.round(turn / 360));
  };
  const look = () => {
    const beat = document.querySelector("main[data-beat]")?.dataset.beat;
    const seats = [...document.querySelectorAll("[data-seat]")];
    const receiver = seats.find((seat) => seat.matches(".receiver"));
    const giver = seats.find((seat) => seat.matches(".giver"));
    const name = receiver?.getAttribute("aria-label");
    for (const card of document.querySelectorAll("[data-air], .flyer:not(.shift), [data-turner]")) {
      const arrow = card.querySelector(".present:not(.any) .arrow > g");
      if (!arrow || !receiver || card.closest("[data-close-up]")) continue;
      found.looks += 1;
      const degrees = direction(arrow);
      const meant = off(card, degrees, receiver);
      const nearer = seats.find(
        (seat) => seat !== receiver && seat !== giver && off(card, degrees, seat) < meant - SLACK,
      );
      if (nearer)
        found.faults.push(`${beat}: ${Math.round(meant)}° off ${name}, nearer to ${nearer.getAttribute("aria-label")}`);
      const label = card.querySelector(".present").getAttribute("aria-label");
      if (label && !label.includes(name)) found.faults.push(`${beat}: "${label}" but ${name} is outlined`);
    }
  };
  const lookAtBeat = () => {
    const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
    const times = moving.map(({ currentTime }) => currentTime);
    const longest = Math.max(0, ...moving.map(({ effect }) => effect.getComputedTiming().endTime));
    for (let step = 0; step <= STEPS; step += 1) {
      for (const animation of moving) animation.currentTime = (longest * step) / STEPS;
      look();
    }
    moving.forEach((animation, n) => (animation.currentTime = times[n]));
  };
  const observer = new MutationObserver(() => queueMicrotask(lookAtBeat));
  observer.observe(document, { subtree: true, attributeFilter: ["data-beat"] });
};
