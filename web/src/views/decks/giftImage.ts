// A picture for an own gift, painted anew: small, square, and with nothing in it but what can be seen.

export const SIDE = 320;
const LARGEST = 60_000; // bytes, as the server has it
const QUALITIES = [0.86, 0.7, 0.5, 0.3];

const KINDS: Record<string, string> = { iVBOR: "image/png", "/9j/": "image/jpeg", UklGR: "image/webp" }; // by their first letters in base64

/** What is none of these is shown as nothing. */
export const kindOf = (picture: string): string => Object.entries(KINDS).find(([start]) => picture.startsWith(start))?.[1] ?? "";
export const isKind = (kind: string): boolean => Object.values(KINDS).includes(kind);

export interface Picture {
  kind: string;
  picture: string; // base64
}

/** A photo or drawing from a file, whole, on white paper. Raises where the browser cannot read it. */
export async function fromFile(file: Blob): Promise<Picture> {
  const image = await createImageBitmap(file);
  const canvas = paper();
  const scale = SIDE / Math.max(image.width, image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  canvas.getContext("2d")!.drawImage(image, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  image.close();
  return painted(canvas);
}

export function paper(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  whiten(canvas);
  return canvas;
}

export function whiten(canvas: HTMLCanvasElement): void {
  const brush = canvas.getContext("2d")!;
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, SIDE, SIDE);
}

export async function painted(canvas: HTMLCanvasElement): Promise<Picture> {
  for (const quality of QUALITIES) {
    const blob = (await blobOf(canvas, "image/webp", quality)) ?? (await blobOf(canvas, "image/jpeg", quality));
    if (!blob) continue;
    const bytes = plain(new Uint8Array(await blob.arrayBuffer()), blob.type);
    if (bytes.length <= LARGEST) return { kind: blob.type, picture: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
  }
  throw new Error("no picture");
}

/** Some browsers cannot write every type, and write another without a word. */
function blobOf(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, quality));
}

/** Without what browsers write into pictures of their own accord: profiles, and the program that made them. */
export function plain(bytes: Uint8Array, type: string): Uint8Array {
  return type === "image/jpeg" ? plainJpeg(bytes) : plainWebp(bytes);
}

function plainJpeg(bytes: Uint8Array): Uint8Array {
  const kept = [bytes.slice(0, 2)];
  let at = 2;
  while (bytes[at + 1] !== 0xda) {
    const end = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
    const part = bytes[at + 1]!;
    const jfif = part === 0xe0 && end - at === 18; // JFIF without a small picture inside
    if (part < 0xe0 || jfif) kept.push(bytes.slice(at, end));
    at = end;
  }
  return joined([...kept, bytes.slice(at)]);
}

function plainWebp(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept: Uint8Array[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.slice(at, at + 4));
    const end = at + 8 + view.getUint32(at + 4, true);
    const part = bytes.slice(at, end + (end - at) % 2);
    if (name === "VP8X") part[8]! &= 0x10; // nothing is announced but glass
    if (["VP8 ", "VP8L", "VP8X", "ALPH"].includes(name)) kept.push(part);
    at = end + (end - at) % 2;
  }
  const body = joined(kept);
  const head = bytes.slice(0, 12);
  new DataView(head.buffer).setUint32(4, body.length + 4, true);
  return joined([head, body]);
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
