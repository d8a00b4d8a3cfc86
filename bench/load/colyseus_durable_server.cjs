// The game as a Colyseus room that keeps our promise: a move is in SQLite, synced to disk, before anyone sees it.
// One commit for all moves of one turn of the event loop; with COMMIT=each one commit for each move.
// Needs Node 22.5 or newer, for node:sqlite.
const { DatabaseSync } = require('node:sqlite');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Server, Room } = require('@colyseus/core');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const { deal, view, play } = require('./game.cjs');

const folder = mkdtempSync(join(tmpdir(), 'colyseus-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
const db = new DatabaseSync(join(folder, 'log.db'));
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('CREATE TABLE log (room TEXT, version INT, move TEXT, PRIMARY KEY (room, version)) WITHOUT ROWID');
const insert = db.prepare('INSERT INTO log VALUES (?, ?, ?)');
const begin = db.prepare('BEGIN');
const commit = db.prepare('COMMIT');
const together = process.env.COMMIT !== 'each';
let waiting = [];

function commitAll() {
  const moves = waiting;
  waiting = [];
  begin.run();
  for (const { room, version, move } of moves) insert.run(room.roomId, version, move);
  commit.run();
  for (const { room } of moves) room.show();
}

function append(room, version, move) {
  if (!together) {
    insert.run(room.roomId, version, move);
    return room.show();
  }
  if (!waiting.length) setImmediate(commitAll);
  waiting.push({ room, version, move });
}

class Hat extends Room {
  onCreate() {
    this.maxClients = 4;
    this.round = deal();
    this.seats = new Map();
    this.version = 0;
    for (const move of ['draw', 'wrap', 'give', 'accept', 'refuse']) {
      this.onMessage(move, (client, claim) => {
        const seat = this.seats.get(client.sessionId);
        if (play(this.round, seat, move, claim)) append(this, ++this.version, JSON.stringify([seat, move, claim]));
      });
    }
  }
  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
    if (this.seats.size === 4) this.show();
  }
  show() {
    const seen = view(this.round);
    for (const client of this.clients) client.send('view', { you: this.seats.get(client.sessionId), round: seen });
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('hat', Hat);
server.listen(+process.env.PORT).then(() => console.log('ready'));
