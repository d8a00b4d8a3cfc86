// Players of the game on boardgame.io.
const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const game = require('./boardgame_game.cjs');
const { runPlayers } = require('./players.cjs');
const { due, choose } = require('./game.cjs');

function sit(table, matchID, seat) {
  const client = Client({
    game,
    multiplayer: SocketIO({ server: `http://127.0.0.1:${process.env.PORT}` }),
    matchID,
    playerID: String(seat),
    numPlayers: 4,
    debug: false,
  });
  let latest = null;
  const look = () => latest && due(latest) === seat && table.turn(latest.turn, () => setImmediate(move));
  const move = () => {
    const [name, ...claim] = choose(latest);
    client.moves[name](...claim);
  };
  return new Promise((ready) => {
    client.subscribe((state) => {
      if (!state || state.G.turn === latest?.turn) return;
      latest = state.G;
      table.received(seat, latest.turn, 0);
      ready(look);
      look();
    });
    client.start();
  });
}

runPlayers(async (table, number) => {
  const looks = [];
  for (let seat = 0; seat < 4; seat++) looks.push(await sit(table, `m${process.pid}_${number}`, seat));
  table.look = (seat) => looks[seat]();
  return table;
});
