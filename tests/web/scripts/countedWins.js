// Return whether the third win was counted, if it was one.
export default () => {
  const { won } = JSON.parse(localStorage.notahat);
  return won === 2 + document.querySelectorAll("h1.yours").length;
};
