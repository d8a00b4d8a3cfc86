// Return whether the page does not scroll.
export default () => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth <= innerWidth && scrollHeight <= innerHeight;
};
