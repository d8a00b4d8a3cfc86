// Return whether a remark is shown, and covers no face, name or headline.
export default () => {
  const shown = [...document.querySelectorAll("[data-bubble]")].filter((bubble) => bubble.checkVisibility());
  const others = [...document.querySelectorAll("[data-standing] [data-face], [data-name], h1, .also")];
  const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return (
    shown.length > 0 &&
    !shown.some((bubble) =>
      others.some((other) => isOver(bubble.getBoundingClientRect(), other.getBoundingClientRect())),
    )
  );
};
