// Players of the game on Colyseus.
const { Client } = require('colyseus.js');
const { runPlayers } = require('./players.cjs');
const { due, choose } = require('./game.cjs');

const client = new Client(`ws://127.0.0.1:${process.env.PORT}`);

function sit(table, room) {
  let latest = null;
  const look = () => {
    if (!latest || due(latest.round) !== latest.you) return;
    // our server wraps by itself
    table.turn(latest.round.turn, () => room.send(...choose(latest.round)), latest.round.phase === 'wrap');
  };
  room.onMessage('view', (seen) => {
    latest = seen;
    table.received(seen.you, seen.round.turn, 0);
    look();
  });
  return look;
}

runPlayers(async (table) => {
  const room = await client.create('hat');
  const looks = [sit(table, room)];
  for (let seat = 1; seat < 4; seat++) looks.push(sit(table, await client.joinById(room.roomId)));
  table.look = (seat) => looks[seat]();
  return table;
});
