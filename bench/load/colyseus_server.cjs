// The game as a Colyseus room. Each seat gets its view as a message, because cards are hidden. Nothing is stored.
const { Server, Room } = require('@colyseus/core');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const { deal, view, play } = require('./game.cjs');

class Hat extends Room {
  onCreate() {
    this.maxClients = 4;
    this.round = deal();
    this.seats = new Map();
    for (const move of ['draw', 'wrap', 'give', 'accept', 'refuse']) {
      this.onMessage(move, (client, claim) => {
        if (play(this.round, this.seats.get(client.sessionId), move, claim)) this.show();
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
