// Draws the result of a gift of the day as a picture to share. It shows no gift.

import type { Day } from "../../app/dailyHistory.ts";
import { saveFile } from "../../ui/saveFile.ts";

const WIDTH = 640;
const HEIGHT = 336;
const [LEFT, TOP] = [40, 194]; // of the squares
const INK = "#1b1a17";
const COLOURS: Record<string, string> = { "🟩": "#0e6b5c", "🟨": "#eca91a", "🟥": "#a8271f" };

/** `summary` is the date and the score; `cheer` is shown to winners. */
export async function drawResult(date: string, day: Day, summary: string, cheer: string): Promise<File> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d")!;
  fill(context, "#f7f2e8", 0, 0, WIDTH, HEIGHT, 0);
  drawBack(context, 470, 78, -8, "#eca91a", INK, -1);
  drawBack(context, 556, 96, 7, "#1d5fae", "#ffffff", 1);
  context.fillStyle = INK;
  context.font = '56px "Patrick Hand", cursive';
  context.fillText("Not a Hat", 40, 92);
  context.font = '600 26px "Nunito Variable", sans-serif';
  context.fillText(summary, 40, 168);
  const signs = [...(day.signs ?? "")];
  squares(signs.length).forEach(({ x, y, side }, n) => fill(context, COLOURS[signs[n]!] ?? "#5e574b", x, y, side, side, 8));
  context.fillStyle = "#0e6b5c";
  context.font = '34px "Patrick Hand", cursive';
  if (day.won) context.fillText(cheer, 40, 128);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  return new File(blob ? [blob] : [], `not-a-hat-${date}.png`, { type: "image/png" });
}

/** Return the places of the squares, as large as they can be for all of them to fit. */
export function squares(count: number): { x: number; y: number; side: number }[] {
  const [width, height] = [WIDTH - 2 * LEFT, HEIGHT - TOP - 28];
  let perRow = 11;
  while (Math.ceil(count / perRow) * (width / perRow) > height) perRow += 1;
  const step = width / perRow;
  return Array.from({ length: count }, (_, n) => ({ x: LEFT + (n % perRow) * step, y: TOP + Math.floor(n / perRow) * step, side: step * 0.86 }));
}

function fill(context: CanvasRenderingContext2D, colour: string, x: number, y: number, w: number, h: number, round: number): void {
  context.fillStyle = colour;
  context.beginPath();
  if (context.roundRect) context.roundRect(x, y, w, h, round);
  else context.rect(x, y, w, h); // older browsers have no roundRect
  context.fill();
}

/** Draw the back of a card, slightly rotated. */
function drawBack(context: CanvasRenderingContext2D, x: number, y: number, turn: number, paper: string, ink: string, direction: 1 | -1): void {
  context.save();
  context.translate(x, y);
  context.rotate((turn * Math.PI) / 180);
  fill(context, paper, -56, -35, 112, 70, 8);
  context.globalAlpha = 0.35;
  fill(context, INK, -56, -3, 112, 6, 0);
  fill(context, INK, -3, -35, 6, 70, 0);
  context.globalAlpha = 1;
  fill(context, paper, -24, -24, 48, 48, 24);
  context.scale(direction, 1);
  context.strokeStyle = ink;
  context.lineWidth = 7;
  context.lineCap = context.lineJoin = "round";
  context.stroke(new Path2D("M-16 0H16M4-12L16 0L4 12"));
  context.restore();
}

/** Share the file if the browser can, else save it. */
export async function shareOrSave(file: File): Promise<void> {
  if (navigator.canShare?.({ files: [file] })) return void (await navigator.share({ files: [file] }).catch(() => undefined));
  saveFile(file);
}
