// Set the animations of the card in play to a part of their time. Return, on the screen, middle and radius of the tag
// with its arrow, and the middle of its receiver.
export default (part) => {
  const card = document.querySelector("[data-air], .flyer:not(.shift), [data-turner]");
  for (const animation of card.getAnimations({ subtree: true })) {
    const { endTime } = animation.effect.getComputedTiming();
    animation.currentTime = endTime * part * 0.999; // an animation that has ended is gone
  }
  const circle = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2, width / 2];
  };
  const receiver = document.querySelector("section.receiver .face, p.receiver");
  return [circle(card.querySelector(".tag")), circle(receiver).slice(0, 2)];
};
