// The rules for the servers that we compare with. A new round starts after three penalties.
const CARDS = 110;
const PENALTIES_THAT_END = 3;

function shuffled() {
  const cards = Array.from({ length: CARDS }, (_, i) => ({ gift: 'g' + i, back: i % 2 ? 'left' : 'right' }));
  for (let i = CARDS - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

const deal = () => {
  const shop = shuffled();
  const columns = [0, 1, 2, 3].map(() => [{ ...shop.pop(), up: true }]);
  const penalties = [[], [], [], []];
  return { shop, columns, penalties, phase: 'draw', giver: 0, receiver: null, card: null, claim: null, turn: 0 };
};

const hidden = (card) => card && (card.up ? { gift: card.gift } : { back: card.back });

const view = (round) => ({
  ...round,
  shop: { top: round.shop.at(-1)?.gift ?? null, left: round.shop.length },
  columns: round.columns.map((column) => column.map(hidden)),
  card: hidden(round.card),
});

function punish(round, seat) {
  round.penalties[seat].push(round.card.gift);
  if (round.penalties[seat].length >= PENALTIES_THAT_END) return Object.assign(round, deal(), { turn: round.turn });
  return Object.assign(round, { card: null, giver: seat, phase: 'draw' });
}

const moves = {
  draw(round) {
    round.card = { ...round.shop.pop(), up: true };
    round.phase = 'wrap';
  },
  wrap(round) {
    round.card.up = false;
    round.phase = 'give';
  },
  give(round, claim) {
    round.receiver = (round.giver + (round.card.back === 'left' ? 1 : 3)) % 4;
    round.claim = claim;
    round.phase = 'answer';
  },
  accept(round) {
    const mine = round.columns[round.receiver];
    mine.push(round.card);
    round.card = mine.shift();
    round.giver = round.receiver;
    round.phase = round.card.up ? 'wrap' : 'give';
  },
  refuse(round) {
    punish(round, round.claim === round.card.gift ? round.receiver : round.giver);
  },
};

const due = (round) => (round.phase === 'answer' ? round.receiver : round.giver);
const movesOf = ({ phase }) => (phase === 'answer' ? ['accept', 'refuse'] : [phase]);
const isLegal = (round, seat, move) => seat === due(round) && movesOf(round).includes(move);

/** Make a move and return whether it was legal. */
function play(round, seat, move, claim) {
  if (!isLegal(round, seat, move)) return false;
  round.turn++;
  moves[move](round, claim);
  return true;
}

/** The only legal move; one answer in seven is a refusal. */
function choose(round) {
  if (round.phase === 'give') return ['give', 'g' + (round.turn % CARDS)];
  if (round.phase === 'answer') return [Math.random() < 0.85 ? 'accept' : 'refuse'];
  return [round.phase];
}

module.exports = { deal, view, play, due, choose };
