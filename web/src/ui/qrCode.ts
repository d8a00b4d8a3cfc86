// QR codes (ISO/IEC 18004) of links: byte mode, error correction M, versions 1 to 10. A site without a server draws them itself.

type Grid = boolean[][];

// by version, starting with 1
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const CHECK_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const MASKS: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Return the modules of a QR code, true for dark; null if the text is too long. */
export function qrCode(text: string): Grid | null {
  const bytes = new TextEncoder().encode(text);
  const index = CODEWORDS.findIndex((_, at) => dataSize(at) >= bytes.length + (at < 9 ? 2 : 3));
  if (index < 0) return null;
  const codewords = withCheckwords(dataCodewords(bytes, index), index);
  const drawn = MASKS.map((_, mask) => draw(codewords, index, mask));
  const penalties = drawn.map(penalty);
  return drawn[penalties.indexOf(Math.min(...penalties))]!;
}

const dataSize = (index: number): number => CODEWORDS[index]! - BLOCKS[index]! * CHECK_PER_BLOCK[index]!;

function dataCodewords(bytes: Uint8Array, index: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number): void => {
    for (let at = length - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  push(4, 4); // byte mode
  push(bytes.length, index < 9 ? 8 : 16);
  bytes.forEach((byte) => push(byte, 8));
  const size = dataSize(index);
  push(0, Math.min(4, size * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, at) => parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2));
  for (let pad = 0xec; words.length < size; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** Split data into blocks, add Reed-Solomon codewords, and interleave. */
function withCheckwords(data: number[], index: number): number[] {
  const [count, check] = [BLOCKS[index]!, CHECK_PER_BLOCK[index]!];
  const short = Math.floor(data.length / count);
  const longer = data.length % count; // the last blocks have one more
  const divisor = generator(check);
  let at = 0;
  const blocks = Array.from({ length: count }, (_, n) => data.slice(at, (at += short + (n >= count - longer ? 1 : 0))));
  const checks = blocks.map((block) => remainder(block, divisor));
  const interleave = (parts: number[][]): number[] =>
    Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, n) => parts.flatMap((part) => part.slice(n, n + 1))).flat();
  return [...interleave(blocks), ...interleave(checks)];
}

/** Multiply in the field of 256 elements. */
function multiply(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((y >> bit) & 1) * x);
  return product;
}

function generator(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1];
  for (let n = 0, root = 1; n < degree; n++, root = multiply(root, 2))
    for (let at = 0; at < degree; at++) result[at] = multiply(result[at]!, root) ^ (result[at + 1] ?? 0);
  return result;
}

function remainder(data: number[], divisor: number[]): number[] {
  const result = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ result.shift()!;
    result.push(0);
    divisor.forEach((coefficient, at) => (result[at]! ^= multiply(coefficient, factor)));
  }
  return result;
}

function draw(codewords: number[], index: number, mask: number): Grid {
  const size = 21 + 4 * index;
  const dark: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed: Grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (row: number, column: number, value: boolean): void => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    dark[row]![column] = value;
    fixed[row]![column] = true;
  };
  const square = (row: number, column: number, rings: boolean[]): void => {
    const radius = rings.length - 1;
    for (let r = -radius; r <= radius; r++) for (let c = -radius; c <= radius; c++) set(row + r, column + c, rings[Math.max(Math.abs(r), Math.abs(c))]!);
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]] as const) square(row, column, [true, true, false, true, false]);
  const places = ALIGNMENT[index]!;
  const inCorner = (row: number, column: number): boolean => [row, column].every((at) => at === 6 || at === places.at(-1)) && (row === 6 || column === 6);
  for (const row of places) for (const column of places) if (!inCorner(row, column)) square(row, column, [true, false, true]);
  drawFormat(mask, size, set);
  if (index >= 6) drawVersion(index + 1, size, set);
  const bits = codewords.flatMap((word) => Array.from({ length: 8 }, (_, at) => ((word >> (7 - at)) & 1) === 1));
  let next = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++)
      for (const column of [right, right - 1]) {
        const row = up ? size - 1 - step : step;
        if (!fixed[row]![column]) dark[row]![column] = (bits[next++] ?? false) !== MASKS[mask]!(row, column);
      }
  }
  return dark;
}

type Set = (row: number, column: number, value: boolean) => void;

function drawFormat(mask: number, size: number, set: Set): void {
  let rest = mask; // error correction M is 00
  for (let n = 0; n < 10; n++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (at: number): boolean => ((bits >> at) & 1) === 1;
  for (let at = 0; at < 6; at++) set(at, 8, bit(at));
  set(7, 8, bit(6));
  set(8, 8, bit(7));
  set(8, 7, bit(8));
  for (let at = 9; at < 15; at++) set(8, 14 - at, bit(at));
  for (let at = 0; at < 8; at++) set(8, size - 1 - at, bit(at));
  for (let at = 8; at < 15; at++) set(size - 15 + at, 8, bit(at));
  set(size - 8, 8, true);
}

function drawVersion(version: number, size: number, set: Set): void {
  let rest = version;
  for (let n = 0; n < 12; n++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const [long, across] = [size - 11 + (at % 3), Math.floor(at / 3)];
    set(across, long, ((bits >> at) & 1) === 1);
    set(long, across, ((bits >> at) & 1) === 1);
  }
}

/** Return how hard a code is to scan: long runs, blocks, finder-like patterns and an uneven share of dark modules. */
function penalty(grid: Grid): number {
  const columns = grid[0]!.map((_, at) => grid.map((row) => row[at]!));
  const text = [...grid, ...columns].map((line) => line.map((dark) => (dark ? "1" : "0")).join(""));
  const runs = text.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
  const finders = text.reduce((sum, line) => sum + (line.match(/(?=00001011101|10111010000)/g)?.length ?? 0), 0);
  let blocks = 0;
  for (let r = 1; r < grid.length; r++)
    for (let c = 1; c < grid.length; c++) if (grid[r]![c] === grid[r - 1]![c] && grid[r]![c] === grid[r]![c - 1] && grid[r]![c] === grid[r - 1]![c - 1]) blocks++;
  const share = grid.flat().filter(Boolean).length / grid.length ** 2;
  return runs + 3 * blocks + 40 * finders + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
