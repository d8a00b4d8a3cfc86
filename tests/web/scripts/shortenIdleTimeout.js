// Let the page's timeout of five seconds pass in 50 ms.
export default () => {
  const setTimeout = window.setTimeout;
  window.setTimeout = (callback, ms, ...rest) => setTimeout(callback, ms === 5000 ? 50 : ms, ...rest);
};
