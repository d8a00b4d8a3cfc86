// Draws the result of a gift of the day as a picture to share. It shows no gift.

import type { Day } from "../../app/dailyHistory.ts";
import { saveFile } from "../../ui/saveFile.ts";

const WIDTH = 640;
const HEIGHT = 336;
const SIDE = 44;
const INK = "#1b1a17";
const COLOURS: Record<string, string> = { "🟩": "#0e6b5c", "🟨": "#eca91a", "🟥": "#a8271f" };

/** `summary` is the date and the score; `cheer` is shown to winners. */
export async function drawResult(date: string, day: Day, summary: string, cheer: string): Promise<File> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d")!;
  fill(pen, "#f7f2e8", 0, 0, WIDTH, HEIGHT, 0);
  drawBack(pen, 470, 78, -8, "#eca91a", INK, -1);
  drawBack(pen, 556, 96, 7, "#1d5fae", "#ffffff", 1);
  pen.fillStyle = INK;
  pen.font = '56px "Patrick Hand", cursive';
  pen.fillText("Not a Hat", 40, 92);
  pen.font = '600 26px "Nunito Variable", sans-serif';
  pen.fillText(summary, 40, 168);
  [...(day.signs ?? "")].forEach((sign, n) => {
    const [x, y] = [40 + (n % 11) * (SIDE + 8), 194 + Math.floor(n / 11) * (SIDE + 8)];
    fill(pen, COLOURS[sign] ?? "#5e574b", x, y, SIDE, SIDE, 8);
  });
  pen.fillStyle = "#0e6b5c";
  pen.font = '34px "Patrick Hand", cursive';
  if (day.won) pen.fillText(cheer, 40, 128);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  return new File(blob ? [blob] : [], `not-a-hat-${date}.png`, { type: "image/png" });
}

function fill(pen: CanvasRenderingContext2D, colour: string, x: number, y: number, w: number, h: number, round: number): void {
  pen.fillStyle = colour;
  pen.beginPath();
  if (pen.roundRect) pen.roundRect(x, y, w, h, round);
  else pen.rect(x, y, w, h); // older browsers have no roundRect
  pen.fill();
}

/** Draw the back of a card, slightly rotated. */
function drawBack(pen: CanvasRenderingContext2D, x: number, y: number, turn: number, paper: string, ink: string, direction: 1 | -1): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate((turn * Math.PI) / 180);
  fill(pen, paper, -56, -35, 112, 70, 8);
  pen.globalAlpha = 0.35;
  fill(pen, INK, -56, -3, 112, 6, 0);
  fill(pen, INK, -3, -35, 6, 70, 0);
  pen.globalAlpha = 1;
  fill(pen, paper, -24, -24, 48, 48, 24);
  pen.scale(direction, 1);
  pen.strokeStyle = ink;
  pen.lineWidth = 7;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke(new Path2D("M-16 0H16M4-12L16 0L4 12"));
  pen.restore();
}

/** Share the file if the browser can, else save it. */
export async function shareOrSave(file: File): Promise<void> {
  if (navigator.canShare?.({ files: [file] })) return void (await navigator.share({ files: [file] }).catch(() => undefined));
  saveFile(file);
}
