// The game for boardgame.io.
const { deal, view, play } = require('./game.cjs');

const move = (name) => ({
  client: false,
  move: ({ G, playerID }, claim) => (play(G, +playerID, name, claim) ? undefined : 'INVALID_MOVE'),
});

module.exports = {
  name: 'hat',
  minPlayers: 4,
  maxPlayers: 4,
  setup: deal,
  playerView: ({ G }) => view(G),
  turn: { activePlayers: { all: 'play' }, stages: { play: {} } },
  moves: Object.fromEntries(['draw', 'wrap', 'give', 'accept', 'refuse'].map((name) => [name, move(name)])),
};
