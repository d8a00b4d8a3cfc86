// Copying to the clipboard, also over plain HTTP, where browsers have no clipboard API: servers at home often use it.

/** Return whether the text was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Select the text in a hidden field and copy it. Nothing below a dialog can be selected, so the field goes into it. */
function copyBySelection(text: string): boolean {
  const dialogs = document.querySelectorAll("dialog[open]");
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position: fixed; top: 0; opacity: 0";
  (dialogs[dialogs.length - 1] ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}
