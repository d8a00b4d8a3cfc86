// Record the classes of all elements that scripts animate from now on.
export default () => {
  const { animate } = Element.prototype;
  globalThis.moved = [];
  Element.prototype.animate = function (...how) {
    globalThis.moved.push(this.getAttribute("class"));
    return animate.apply(this, how);
  };
};
