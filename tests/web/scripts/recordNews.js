// Record each text of the notice region in `globalThis.news`, and in `globalThis.lobbies` how often a lobby was drawn.
export default () => {
  globalThis.news = [];
  globalThis.lobbies = 0;
  new MutationObserver(() => {
    const text = document.querySelector("[data-news]")?.textContent;
    if (text && text !== globalThis.news.at(-1)) globalThis.news.push(text);
    globalThis.lobbies += document.querySelectorAll("main .chairs").length;
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
};
