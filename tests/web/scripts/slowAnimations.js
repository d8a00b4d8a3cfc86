// Let the animations of cards in play run, from their start, too slowly to be seen moving. They are not paused:
// Chromium may draw those that run in another way.
export default () => {
  const cards = () => document.querySelectorAll("[data-air], .flyer, [data-turner]");
  const slow = () => {
    for (const card of cards())
      for (const animation of card.getAnimations({ subtree: true })) animation.playbackRate = 1e-6;
  };
  const observer = new MutationObserver(() => queueMicrotask(slow));
  observer.observe(document, { subtree: true, attributeFilter: ["data-beat", "data-demo"] });
};
