// The result of a gift of the day, to share as a text or as a picture: a wrapped box with the funniest lie
// of the round, and a square for each decision; the same box for the best journey; and when the next gift comes.

import type { Day } from "../../app/dailyHistory.ts";
import { drawings } from "../../ui/drawings.svelte.ts";
import { saveFile } from "../../ui/saveFile.ts";
import { words } from "../../words/words.svelte.ts";

const SIZE = 1080;
const MIDDLE = SIZE / 2;
const LEFT = 90; // of the texts and squares
const [TOP, BOTTOM] = [880, 1000]; // of the squares
const [PAPER, CARD, INK, SOFT, GREEN] = ["#f7f2e8", "#ffffff", "#1b1a17", "#5e574b", "#0e6b5c"];
const COLOURS: Record<string, string> = { "🟩": GREEN, "🟨": "#eca91a", "🟥": "#a8271f" };
const HAND = '"Patrick Hand", cursive';
const SANS = '"Nunito Variable", sans-serif';

/** Return when the next gift comes, such as "in 5 hours". */
export function nextGift(lang: string, now = new Date()): string {
  const minutes = (new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime()) / 60_000;
  const format = new Intl.RelativeTimeFormat(lang);
  return minutes < 60 ? format.format(Math.ceil(minutes), "minute") : format.format(Math.round(minutes / 60), "hour");
}

/** Return a result to share: penalty points out of three, and a sign for each decision. It names no gift. */
export function shareText(date: string, { signs = "", penalties = 0, won = false }: Day): string {
  return `Not a Hat ${date} ${won ? "🏆" : "🎁"} ${penalties}/3\n${signs}`;
}

/** What a picture shows: a lie about a gift, and below it a square for each decision, or how the lie travelled. */
interface Picture {
  name: string; // of its file
  summary?: string;
  lie?: { title: string; gift: string; claim: string } | undefined;
  signs?: string;
  lines?: string[];
}

/** Draw the box and share the picture if the browser can, else save it. */
export async function sharePicture({ name, summary = "", lie, signs = "", lines = [] }: Picture): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext("2d")!;
  const text = (line: string, y: number, font: string, colour = INK, inset = LEFT): void => {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(line, MIDDLE, y, SIZE - 2 * inset);
  };
  context.textAlign = "center";
  drawParcel(context);
  text("Not a Hat", 150, `104px ${HAND}`);
  text(summary, 205, `600 34px ${SANS}`, SOFT);
  if (lie) {
    text(lie.title, 290, `54px ${HAND}`, GREEN);
    fill(context, CARD, [LEFT, 320, SIZE - 2 * LEFT, 110], 30, INK);
    text(words.offer(lie.claim), 394, `58px ${HAND}`, INK, LEFT + 30);
    fill(context, CARD, [MIDDLE - 264, 462, 528, 330], 26, INK);
    context.drawImage(await imageOf(lie.gift), MIDDLE - 145, 482, 290, 290);
    text(words.name(lie.gift), 848, `700 44px ${SANS}`);
  }
  lines.forEach((line, n) => text(line, TOP + 30 + n * 46, `600 36px ${SANS}`));
  const all = [...signs];
  const top = lie ? TOP : 320;
  for (const [n, { x, y, side }] of squares(all.length, SIZE - 2 * LEFT, BOTTOM - top).entries())
    fill(context, COLOURS[all[n]!] ?? SOFT, [LEFT + x, top + y, side, side], 10);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  const files = [new File(blob ? [blob] : [], `not-a-hat-${name}.png`, { type: "image/png" })];
  if (navigator.canShare?.({ files })) await navigator.share({ files }).catch(() => undefined);
  else saveFile(files[0]!);
}

/** Draw both wrapping papers, which meet on a diagonal, around a sheet of paper. */
function drawParcel(context: CanvasRenderingContext2D): void {
  fill(context, "#1d5fae", [0, 0, SIZE, SIZE], 0);
  context.fillStyle = "#eca91a";
  context.fill(new Path2D(`M0 0H${SIZE * 0.62}L${SIZE * 0.38} ${SIZE}H0Z`));
  fill(context, PAPER, [34, 34, SIZE - 68, SIZE - 68], 40);
}

/** Return the drawing of a gift of the catalogue. */
async function imageOf(gift: string): Promise<HTMLImageElement> {
  await drawings.load();
  const attributes = `xmlns="http://www.w3.org/2000/svg" viewBox="2 2 68 68" width="290" height="290" color="${INK}"`;
  const svg = `<svg ${attributes}>${drawings.of(gift)}</svg>`;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode().finally(() => URL.revokeObjectURL(image.src));
  return image;
}

/** Return the places of the squares, as large as they can be for all of them to fit. */
export function squares(count: number, width: number, height: number): { x: number; y: number; side: number }[] {
  let perRow = 9;
  while (Math.ceil(count / perRow) * (width / perRow) > height) perRow += 1;
  const step = width / perRow;
  const side = step * 0.86;
  return Array.from({ length: count }, (_, n) => ({ x: (n % perRow) * step, y: Math.floor(n / perRow) * step, side }));
}

type Box = [x: number, y: number, width: number, height: number];

function fill(context: CanvasRenderingContext2D, colour: string, box: Box, round: number, edge?: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(...box, round);
  context.fill();
  if (!edge) return;
  context.strokeStyle = edge;
  context.lineWidth = 4;
  context.stroke();
}
