// Return the action, role or tag of the focused element.
export default () => {
  const focused = document.activeElement;
  return focused.dataset?.do ?? focused.getAttribute("role") ?? focused.tagName;
};
