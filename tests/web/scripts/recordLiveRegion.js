// Record every text that is added to the live region in `globalThis.spoken`, as a screen reader speaks it.
export default () => {
  globalThis.spoken = [];
  const isLive = (node) => (node instanceof Element ? node : node.parentElement)?.closest("[data-live]");
  const speak = (node) => {
    const texts = node instanceof Element && node.querySelector("p") ? [...node.querySelectorAll("p")] : [node];
    for (const { textContent } of texts) if (textContent.trim()) globalThis.spoken.push(textContent.trim());
  };
  const record = (changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "characterData" && isLive(target)) speak(target);
      else for (const node of addedNodes) if (isLive(node)) speak(node);
    }
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, characterData: true });
};
