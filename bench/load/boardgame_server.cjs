// The game on boardgame.io's own server, in memory.
const { Server } = require('boardgame.io/server');
const game = require('./boardgame_game.cjs');

const server = Server({ games: [game], origins: [/127\.0\.0\.1/] });
server.run({ port: +process.env.PORT, callback: () => console.log('ready') });
