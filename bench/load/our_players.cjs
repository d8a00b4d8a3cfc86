// Players of our server, by the public protocol. Tables come from addresses of their own, as tables of friends do.
const WebSocket = require('ws');
const { crowd } = require('./crowd.cjs');

const at = `127.0.0.1:${process.env.PORT}`;
const CLAIMS = ['hat', 'book', 'guitar', 'piano', 'muffin', 'broccoli'];
const OPTIONS = JSON.parse(process.env.OPTIONS || '{"show_seconds": 0}');
// a client may ask to be told only what changed, as our page does; by default it gets whole views
const QUERY = process.env.CHANGES ? '?changes=1' : '';
let orders = 0;

async function post(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`http://${at}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const addressOf = (number) => `127.1.${number >> 7}.${1 + (number & 127)}`;
const id = () => (orders++).toString(16).padStart(12, '0');

/** The move that a seat makes: what everybody could, and one answer in seven is a refusal. */
function choose(news, seat) {
  const may = (name) => news.may.find((offer) => offer.do === name);
  if (seat === 0 && may('again')) return { do: 'again' };
  if (seat === 0 && may('start')) return { do: 'start' };
  const turn = news.view.round?.turn;
  if (may('draw')) return { do: 'draw', turn };
  if (may('give')) {
    const { to } = may('give');
    return { do: 'give', turn, claim: CLAIMS[turn % CLAIMS.length], ...(to?.length > 1 && { to: to[0] }) };
  }
  if (may('accept')) return { do: Math.random() < 0.85 ? 'accept' : 'refuse', turn };
  return null;
}

/** What a player knows after a message: all of it, or what they knew with what changed. */
function told(latest, news) {
  if (news.view || !latest) return news;
  const view = { ...latest.view, ...news.changed };
  if (news.round) view.round = { ...view.round, ...news.round };
  return { ...latest, ...news, view };
}

function sit(table, code, token, seat, address) {
  const socket = new WebSocket(`ws://${at}/api/tables/${code}/socket${QUERY}`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    localAddress: address,
  });
  const send = (order) => socket.send(JSON.stringify({ id: id(), ...order }));
  let latest = null;
  const look = () => {
    const order = latest && choose(latest, seat);
    if (order) table.turn(latest.v, () => send(order));
  };
  return new Promise((seated, failed) => {
    socket.on('error', failed);
    socket.on('close', (code, why) => table.refused(`closed ${code} ${why}`));
    socket.on('open', () => send({ do: 'sit', name: `Player ${seat + 1}` }));
    socket.on('message', (message) => {
      const news = JSON.parse(message);
      if ('no' in news) return table.refused(news.reason);
      if (!('v' in news)) return undefined;
      latest = told(latest, news);
      table.heard(seat, latest.v, message.length, latest.view.stage === 'play');
      if (latest.you.length) seated(look);
      return look();
    });
  });
}

crowd(async (table, number) => {
  const tokens = [];
  for (let seat = 0; seat < 4; seat++) tokens.push((await post('/api/guests', {})).token);
  const { code } = await post('/api/tables', { options: OPTIONS }, tokens[0]);
  const looks = [];
  for (let seat = 0; seat < 4; seat++) looks.push(await sit(table, code, tokens[seat], seat, addressOf(number)));
  table.look = (seat) => looks[seat]();
  return table;
});
