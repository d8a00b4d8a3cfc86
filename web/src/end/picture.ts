// A day's result as a picture to share: coloured squares, the date, and nothing of what the gifts were.

import { lineOf, type Day } from "../days.ts";

const WIDTH = 640;
const HEIGHT = 336;
const SIDE = 44;
const COLOURS: Record<string, string> = { "🟩": "#0e6b5c", "🟨": "#eca91a", "🟥": "#a8271f" };

export async function pictureOf(date: string, day: Day): Promise<File> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#f7f2e8";
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = "#1b1a17";
  pen.font = '56px "Patrick Hand", cursive';
  pen.fillText("Not a Hat", 40, 84);
  pen.font = '30px "Nunito Variable", sans-serif';
  pen.fillText(lineOf(date, day).split("\n")[0]!.replace("Not a Hat ", ""), 40, 132);
  [...(day.signs ?? "")].forEach((sign, n) => {
    pen.fillStyle = COLOURS[sign] ?? "#5e574b";
    pen.fillRect(40 + (n % 11) * (SIDE + 8), 168 + Math.floor(n / 11) * (SIDE + 8), SIDE, SIDE);
  });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  return new File(blob ? [blob] : [], `not-a-hat-${date}.png`, { type: "image/png" });
}

/** The device's own way of sharing where it takes pictures, else a file to keep. */
export async function pass(file: File): Promise<void> {
  if (navigator.canShare?.({ files: [file] })) return void (await navigator.share({ files: [file] }).catch(() => undefined));
  save(file);
}

export function save(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
