// Go to a page of the app without loading it again, and wait until its content has replaced what was shown.
export default async (url) => {
  const shown = () => document.querySelector("main h1, main [data-seat]");
  const before = shown();
  history.pushState(null, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
  while (!shown() || shown() === before) await new Promise(requestAnimationFrame);
};
