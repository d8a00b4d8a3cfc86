// Record each text of the notice region in `globalThis.news`.
export default () => {
  globalThis.news = [];
  new MutationObserver(() => {
    const text = document.querySelector("[data-news]")?.textContent;
    if (text && text !== globalThis.news.at(-1)) globalThis.news.push(text);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
};
