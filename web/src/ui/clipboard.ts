// Into the clipboard, also where there is no secure connection: a table at home is served over plain http.

export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
}

/** As people do it: select and copy. What lies under an open sheet cannot be selected, so it is done on top. */
function byHand(text: string): boolean {
  const sheets = document.querySelectorAll("dialog[open]");
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position: fixed; top: 0; opacity: 0";
  (sheets[sheets.length - 1] ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
