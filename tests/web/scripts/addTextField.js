// Add a focused text field to paste into.
export default () => {
  const field = document.createElement("textarea");
  field.id = "pasted";
  document.body.append(field);
  field.focus();
};
