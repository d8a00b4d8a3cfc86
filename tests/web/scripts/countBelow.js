// Return how many parts of the picker reach below an edge.
export default (edge) =>
  [...document.querySelectorAll("dialog header, dialog input, #found [role=option]")].filter(
    (element) => element.getBoundingClientRect().bottom > edge,
  ).length;
