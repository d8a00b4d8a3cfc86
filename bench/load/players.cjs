// Scripted players for any server: tables of four who move at once when it is their turn, or after a delay.
// Reads lines (`open TABLES`, `play SECONDS THINK_MS`) and answers each with a line of JSON.
const { createInterface } = require('node:readline');

const TOGETHER = 16;
const SETTLE_MS = 300;
const tables = [];
let playing = false;
let think = 0;
let tally;

/** One table. `look(seat)` lets a seat examine its latest state again. */
class Table {
  constructor() {
    this.seen = [-1, -1, -1, -1];
    this.acted = -1;
    this.pending = null;
    this.look = () => {};
  }
  /** A seat received a message. */
  received(seat, version, bytes, counts = true) {
    tally.delivered++;
    tally.bytes += bytes;
    if (version <= this.seen[seat]) return;
    if (seat === 0 && counts) tally.moves += version - this.seen[0];
    this.seen[seat] = version;
    if (this.pending && this.seen.every((seen) => seen > this.pending.version)) {
      tally.spans.push(performance.now() - this.pending.at);
      this.pending = null;
    }
  }
  /** Move, once for each version; `atOnce` is for what nobody thinks about. */
  turn(version, act, atOnce = false) {
    if (!playing || this.acted === version) return;
    this.acted = version;
    const go = () => {
      if (!playing) return void (this.acted = -1);
      this.pending = { version, at: performance.now() };
      act();
    };
    if (think && !atOnce) setTimeout(go, think * (0.5 + Math.random()));
    else go();
  }
  again() {
    this.acted = -1;
    for (const seat of [0, 1, 2, 3]) this.look(seat);
  }
  refused(reason) {
    tally.refused[reason] = (tally.refused[reason] || 0) + 1;
    setTimeout(() => this.again(), 50);
  }
}

const fresh = () => ({ moves: 0, delivered: 0, bytes: 0, spans: [], refused: {} });
tally = fresh();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;

async function open(count, begin) {
  while (tables.length < count) {
    const first = tables.length;
    const some = Array.from({ length: Math.min(TOGETHER, count - first) }, (_, i) => begin(new Table(), first + i));
    tables.push(...(await Promise.all(some)));
    if (tables.length % 320 === 0) console.error(`${tables.length} tables`);
  }
  return { tables: tables.length };
}

/** With a thinking time, the first moves are spread over it before the measurement starts. */
async function play(seconds, thinking) {
  think = thinking;
  playing = true;
  for (const table of tables) table.again();
  if (think) await pause(think * 1.5);
  console.log('{"begin":true}');
  tally = fresh();
  const began = performance.now();
  await pause(seconds * 1000);
  playing = false;
  await pause(think ? 0 : SETTLE_MS);
  const { spans, ...counted } = tally;
  spans.sort((a, b) => a - b);
  const [p50, p99] = [percentile(spans, 0.5), percentile(spans, 0.99)];
  return { ...counted, seconds: (performance.now() - began) / 1000, p50, p99, spans: spans.length };
}

exports.runPlayers = (begin) => {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const [command, ...numbers] = line.split(' ');
    const done = command === 'open' ? await open(+numbers[0], begin) : await play(+numbers[0], +numbers[1]);
    console.log(JSON.stringify(done));
  }).on('close', () => process.exit(0));
};
