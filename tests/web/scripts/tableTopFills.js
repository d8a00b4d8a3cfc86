// Return whether the table top was laid out for a window of this size.
export default ([width, height]) => {
  const top = document.querySelector(".table-top").getBoundingClientRect();
  return top.width === width - 8 && top.height === height - 8;
};
