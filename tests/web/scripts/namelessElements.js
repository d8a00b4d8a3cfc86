// Return the controls and headings without a text or label.
export default () =>
  [...document.querySelectorAll("button, a, label, h1, h2")]
    .filter((element) => !element.textContent.trim() && !element.ariaLabel)
    .map((element) => element.outerHTML);
