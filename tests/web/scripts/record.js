// Record what passes by on this page, from its beginning, in `window.record`: an entry for each change, with all texts
// that are then shown, the texts that a screen reader speaks because of the change, and the page's clock.
export default () => {
  if (window !== top) return;
  const texts = (selector) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim()).filter(Boolean);
  const look = () => ({
    beat: document.querySelector("main[data-beat]")?.dataset.beat ?? "",
    demo: document.querySelector("[data-demo]")?.dataset.demo ?? "",
    prompt: document.querySelector("[data-prompt]")?.dataset.prompt ?? "",
    lesson: texts("header .texts [role=status]").join("\n"),
    sentence: texts("[data-sentence]").join("\n"),
    news: texts("[data-news], [data-notice]").join("\n"),
    bubble: texts("[data-bubble]").join("\n"),
    page: document.querySelector("main .chairs")
      ? "lobby"
      : document.querySelector("[data-seat]")
        ? "table"
        : texts("main h1").join("\n"),
  });
  const isLive = (node) => (node instanceof Element ? node : node.parentElement)?.closest("[data-live]");
  const spoken = (node) => {
    const parts = node instanceof Element && node.querySelector("p") ? [...node.querySelectorAll("p")] : [node];
    return parts.map(({ textContent }) => textContent.trim()).filter(Boolean);
  };
  const heard = ({ type, target, addedNodes }) =>
    (type === "characterData" ? [target] : [...addedNodes]).filter(isLive).flatMap(spoken);
  let last = "";
  window.record = [];
  const observer = new MutationObserver((changes) => {
    const seen = look();
    const said = changes.filter(({ type }) => type !== "attributes").flatMap(heard);
    if (JSON.stringify(seen) === last && said.length === 0) return;
    last = JSON.stringify(seen);
    window.record.push({ at: performance.now(), ...seen, said });
  });
  const attributes = ["data-beat", "data-demo", "data-prompt"];
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: attributes });
};
