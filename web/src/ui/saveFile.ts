// Offers a file made in this page as a download.

const REVOKE_AFTER_MS = 10_000; // a browser that asks where to save the file still needs its URL

export function saveFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
