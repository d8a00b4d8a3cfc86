// Return whether the third win was counted, if it was one.
export default () => {
  const { wins } = JSON.parse(localStorage.notahat);
  return wins.casual === 2 + document.querySelectorAll("h1.yours").length;
};
