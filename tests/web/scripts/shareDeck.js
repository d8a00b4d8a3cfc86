// Post a .hat file to the app, as a browser does when another app shares it with the installed one.
export default ([url, text]) => {
  const form = Object.assign(document.createElement("form"), {
    method: "post",
    enctype: "multipart/form-data",
    action: url,
  });
  const field = Object.assign(document.createElement("input"), { type: "file", name: "deck" });
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "ours.hat"));
  field.files = transfer.files;
  form.append(field);
  document.body.append(form);
  form.submit();
};
