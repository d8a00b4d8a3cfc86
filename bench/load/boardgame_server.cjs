// The game on boardgame.io's own server, in memory.
const { Server } = require('boardgame.io/server');
const game = require('./boardgame_game.cjs');

Server({ games: [game], origins: [/127\.0\.0\.1/] }).run({ port: +process.env.PORT, callback: () => console.log('ready') });
