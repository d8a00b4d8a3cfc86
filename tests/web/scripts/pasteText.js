// Wait for a paste and store its text in `window.pasted`.
export default () => {
  const field = document.createElement("textarea");
  document.body.append(field);
  field.focus();
  window.pasted = new Promise((resolve) => {
    field.addEventListener("paste", (event) => {
      resolve(event.clipboardData.getData("text"));
      field.remove();
    });
  });
};
