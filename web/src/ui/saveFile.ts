// A file made here, for whoever wants to keep it.

const SAVING = 10_000; // ms: a browser that asks where to put it still needs its address

export function save(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING);
}
