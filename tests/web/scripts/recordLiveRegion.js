// Record each text of the live region in `globalThis.spoken`.
export default () => {
  globalThis.spoken = [];
  new MutationObserver(() => {
    const text = document.querySelector("[data-live]")?.textContent;
    if (text && text !== globalThis.spoken.at(-1)) globalThis.spoken.push(text);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
};
