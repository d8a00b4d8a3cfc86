// Return the texts of a table that are cut off.
export default () => {
  const texts = [...document.querySelectorAll(".name, .note, [data-sentence] p, dialog[open] .button, .talk bdi")];
  const isCut = (element) =>
    element.scrollWidth > element.clientWidth + 2 && getComputedStyle(element).display !== "inline";
  return texts.filter(isCut).map((element) => `${element.className}: ${element.textContent}`);
};
