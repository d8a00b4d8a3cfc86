// Players of our server, by the public protocol. Each table has its own address, because of the limits per address.
const WebSocket = require('ws');
const { runPlayers } = require('./players.cjs');

const host = `127.0.0.1:${process.env.PORT}`;
const CLAIMS = ['hat', 'book', 'guitar', 'piano', 'muffin', 'broccoli'];
const OPTIONS = JSON.parse(process.env.OPTIONS || '{"show_seconds": 0}');
// clients may ask for deltas, as our page does; the default is whole views
const QUERY = process.env.CHANGES ? '?changes=1' : '';
let commands = 0;

async function post(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`http://${host}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const addressOf = (number) => `127.1.${number >> 7}.${1 + (number & 127)}`;
const id = () => (commands++).toString(16).padStart(12, '0');

/** The first permitted move; one answer in seven is a refusal. */
function choose(state, seat) {
  const may = (name) => state.may.find((permitted) => permitted.do === name);
  if (seat === 0 && may('again')) return { do: 'again' };
  if (seat === 0 && may('start')) return { do: 'start' };
  const turn = state.view.round?.turn;
  if (may('draw')) return { do: 'draw', turn };
  if (may('give')) {
    const { to } = may('give');
    return { do: 'give', turn, claim: CLAIMS[turn % CLAIMS.length], ...(to?.length > 1 && { to: to[0] }) };
  }
  if (may('accept')) return { do: Math.random() < 0.85 ? 'accept' : 'refuse', turn };
  return null;
}

/** Apply a whole state or a delta. */
function applyMessage(latest, message) {
  if (message.view || !latest) return message;
  const view = { ...latest.view, ...message.changed };
  if (message.round) view.round = { ...view.round, ...message.round };
  return { ...latest, ...message, view };
}

function sit(table, code, token, seat, address) {
  const socket = new WebSocket(`ws://${host}/api/tables/${code}/socket${QUERY}`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    localAddress: address,
  });
  const send = (command) => socket.send(JSON.stringify({ id: id(), ...command }));
  let latest = null;
  const look = () => {
    const command = latest && choose(latest, seat);
    if (command) table.turn(latest.v, () => send(command));
  };
  return new Promise((seated, failed) => {
    socket.on('error', failed);
    socket.on('close', (code, why) => table.refused(`closed ${code} ${why}`));
    socket.on('open', () => send({ do: 'sit', name: `Player ${seat + 1}` }));
    socket.on('message', (data) => {
      const message = JSON.parse(data);
      if ('no' in message) return table.refused(message.reason);
      if (!('v' in message)) return undefined;
      latest = applyMessage(latest, message);
      table.received(seat, latest.v, data.length, latest.view.stage === 'play');
      if (latest.you.length) seated(look);
      return look();
    });
  });
}

runPlayers(async (table, number) => {
  const tokens = [];
  for (let seat = 0; seat < 4; seat++) tokens.push((await post('/api/guests', {})).token);
  const { code } = await post('/api/tables', { options: OPTIONS }, tokens[0]);
  const looks = [];
  for (let seat = 0; seat < 4; seat++) looks.push(await sit(table, code, tokens[seat], seat, addressOf(number)));
  table.look = (seat) => looks[seat]();
  return table;
});
