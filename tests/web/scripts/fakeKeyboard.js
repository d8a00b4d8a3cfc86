// A visual viewport that `window.keyboard(height)` makes smaller, as a phone's keyboard does.
export default () => {
  const viewport = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
  Object.defineProperty(window, "visualViewport", { value: viewport });
  window.keyboard = (height) => {
    viewport.height = innerHeight - height;
    viewport.dispatchEvent(new Event("resize"));
  };
};
