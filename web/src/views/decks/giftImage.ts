// Pictures for own gifts: redrawn small and square, without metadata.

export const SIDE = 320;
const MAX_IMAGE_BYTES = 60_000; // the same as on the server
const QUALITIES = [0.86, 0.7, 0.5, 0.3];

// by their first characters in base64
const KINDS: Record<string, string> = { iVBOR: "image/png", "/9j/": "image/jpeg", UklGR: "image/webp" };

export const kindOf = (picture: string): string =>
  Object.entries(KINDS).find(([start]) => picture.startsWith(start))?.[1] ?? "";
export const dataUrl = (picture: string): string => `data:${kindOf(picture)};base64,${picture}`;
export const isKind = (kind: string): boolean => Object.values(KINDS).includes(kind);

export type Stroke = number[]; // x and y of its points, in turn

/** Return the image of a file, uncropped on white, in base64. Throw if the browser cannot read it. */
export async function fromFile(file: Blob): Promise<string> {
  const image = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  fillWhite(canvas);
  const scale = SIDE / Math.max(image.width, image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  canvas.getContext("2d")!.drawImage(image, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  image.close();
  return encodeCanvas(canvas);
}

function fillWhite(canvas: HTMLCanvasElement): void {
  const brush = canvas.getContext("2d")!;
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, SIDE, SIDE);
}

/** Draw strokes on white, with a round pen. */
export function drawStrokes(canvas: HTMLCanvasElement, strokes: readonly Stroke[]): void {
  fillWhite(canvas);
  const brush = canvas.getContext("2d")!;
  Object.assign(brush, { lineWidth: 9, lineCap: "round", lineJoin: "round", strokeStyle: "#1b1a17" });
  for (const [x = 0, y = 0, ...rest] of strokes) {
    brush.beginPath();
    brush.moveTo(x, y);
    brush.lineTo(x, y);
    for (let n = 0; n < rest.length; n += 2) brush.lineTo(rest[n]!, rest[n + 1]!);
    brush.stroke();
  }
}

/** Return the picture on a canvas in base64, compressed until it is small enough. */
export async function encodeCanvas(canvas: HTMLCanvasElement): Promise<string> {
  for (const quality of QUALITIES) {
    const blob = (await blobOf(canvas, "image/webp", quality)) ?? (await blobOf(canvas, "image/jpeg", quality));
    if (!blob) continue;
    const bytes = stripMetadata(new Uint8Array(await blob.arrayBuffer()), blob.type);
    if (bytes.length <= MAX_IMAGE_BYTES) return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }
  throw new Error("no picture");
}

/** Return null if the browser cannot encode this type; browsers then silently use another one. */
function blobOf(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, quality));
}

/** Remove what browsers add to pictures, such as colour profiles and the name of the program. */
export function stripMetadata(bytes: Uint8Array, type: string): Uint8Array {
  return type === "image/jpeg" ? stripJpeg(bytes) : stripWebp(bytes);
}

function stripJpeg(bytes: Uint8Array): Uint8Array {
  const parts = [bytes.slice(0, 2)];
  let at = 2;
  while (bytes[at + 1] !== 0xda) {
    const end = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
    const part = bytes[at + 1]!;
    const jfif = part === 0xe0 && end - at === 18; // JFIF without a thumbnail
    if (part < 0xe0 || jfif) parts.push(bytes.slice(at, end));
    at = end;
  }
  return concatenate([...parts, bytes.slice(at)]);
}

function stripWebp(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Uint8Array[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.slice(at, at + 4));
    const end = at + 8 + view.getUint32(at + 4, true);
    const part = bytes.slice(at, end + (end - at) % 2);
    if (name === "VP8X") part[8]! &= 0x10; // of the feature flags only transparency stays
    if (["VP8 ", "VP8L", "VP8X", "ALPH"].includes(name)) parts.push(part);
    at = end + (end - at) % 2;
  }
  const body = concatenate(parts);
  const head = bytes.slice(0, 12);
  new DataView(head.buffer).setUint32(4, body.length + 4, true);
  return concatenate([head, body]);
}

function concatenate(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
