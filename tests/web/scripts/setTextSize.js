// Set the size of text (1 is normal, 2 is 200 %), scroll to the top and resolve after the layout.
export default (text) =>
  new Promise((resolve) => {
    document.documentElement.style.fontSize = `${text * 100}%`;
    dispatchEvent(new Event("resize"));
    scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
