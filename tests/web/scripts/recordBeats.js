// Record each beat in `window.beats`: time, sentence, header, cards, crowns, roles, bubbles and the duration of a move.
export default () => {
  const main = document.querySelector("[data-beat]");
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
  };
  const seats = () => [...document.querySelectorAll("[data-seat]")];
  window.beats = [];
  const record = () =>
    window.beats.push({
      beat: main.dataset.beat,
      at: performance.now(),
      sentence: document.querySelector("[data-sentence]").innerText,
      header: document.querySelector("header")?.innerText ?? "",
      seats: seats().map((seat) => [...seat.querySelectorAll(".card")].map(box)),
      crowns: document.querySelectorAll("[data-crown]").length,
      roles: seats().map((seat) => seat.className.match(/giver|receiver/)?.[0] ?? ""),
      bubbles: [...document.querySelectorAll("[data-bubble]")].map((bubble) => bubble.innerText),
      flight: document.querySelector(".flyer")?.getAnimations()[0].effect.getTiming().duration,
    });
  window.beatObserver?.disconnect();
  window.beatObserver = new MutationObserver(() => queueMicrotask(record));
  window.beatObserver.observe(main, { attributes: true, attributeFilter: ["data-beat"] });
};
