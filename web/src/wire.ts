// Made by `python -m notahat.wire.typescript`; change src/notahat/wire/ or src/notahat/table/ instead.

/** A wrapped card is offered; the receiver is to answer. */
export interface AnswerView {
  name: "answer";
  giver: number;
  receiver: number;
  card: FaceDown;
  claim: string | null;
  from_shop: boolean;
}

/** Who gets it (several seats if equal), and for what: how many times, or which claim for which gift. */
export interface Award {
  award: "best_memory" | "boldest_lie" | "most_suspicious" | "most_trusting";
  seats: number[];
  count?: number;
  claim?: string;
  gift?: string;
}

/** One card. The round knows which of its sides is up. */
export interface Card {
  gift: string;
  back: "left" | "right" | "any";
}

/** A player at the table. `stand_in` is set while a computer player plays for them, `gone` after they left. */
export interface Chair {
  name: string;
  kind: "bot" | "person" | "program";
  away: boolean;
  level?: string;
  character?: string;
  dials?: Record<string, number>;
  surprise?: boolean;
  stand_in?: boolean;
  ready?: boolean;
  gone?: boolean;
  face?: string;
  again?: boolean;
}

/** A state as a delta: `changed` replaces parts of the view, `round` parts of its round; equal ones are left out. */
export interface Changes {
  v: number;
  changed: Partial<TableView>;
  happened: Shown[];
  round?: Partial<View>;
  you?: number[];
  may?: May[];
  ack?: string;
}

/** How many guests believed and doubted a claim. */
export interface Crowd {
  believed: number;
  doubted: number;
}

/** How many seconds are left before a move is made for a seat. */
export interface Deadline {
  for: number;
  seconds: number;
}

/** All gifts of a deck without arrows. Pictures have no URL, so that no request reveals which gift is looked at. */
export interface DeckContents {
  name: string;
  gifts: string[];
  own: OwnContents[];
}

/** The own deck of this table, by whose `version` its gifts are requested, and how many cards it lacks (9.3). */
export interface DeckView {
  name: string;
  cards: number;
  version: number;
  missing: number;
}

/** The giver is to draw. */
export interface DrawView {
  name: "draw";
  giver: number;
}

/** A card that shows its arrow. It has neither name nor identity. */
export interface FaceDown {
  face: "down";
  back: "left" | "right" | "any";
}

/** A card that shows its gift and hides its arrow. */
export interface FaceUp {
  face: "up";
  gift: string;
}

/** The giver's card is wrapped and goes to one of the receivers. */
export interface GiveView {
  name: "give";
  giver: number;
  card: FaceDown;
  from_shop: boolean;
  receivers: number[];
}

/** The file. Cards are named by their gift; `balanced` cards get arrows such that both colours are equally many. */
export interface Hat {
  hat: 1;
  name: string;
  language?: "de" | "en" | "es" | "fr" | "it" | "nl" | "pt";
  balanced?: string[];
  left?: string[];
  right?: string[];
  any?: string[];
  own?: OwnGift[];
}

/** The answer to a heartbeat: browsers cannot see pings. */
export interface HeartbeatReply {
  beat: true;
}

/** The open lobbies of a server for one network (`notahat serve --lan`). */
export interface House {
  tables: HouseTable[];
}

/** An open lobby in this house: the name of its first person, and how many sit there. */
export interface HouseTable {
  code: string;
  name: string;
  players: number;
}

/** A present person whom the table waits for; `help`: so long that others may nudge them or let a bot move. */
export interface Idle {
  for: number;
  help: boolean;
}

/** A refused card lies open; the players are to judge who was wrong. */
export interface JudgeView {
  name: "judge";
  giver: number;
  receiver: number;
  card: FaceUp;
}

/** Whether the code alone is enough now, and how many seconds a player may still let this guest in. */
export interface KnockAnswer {
  admitted: boolean;
  seconds: number;
}

/** The progress of the match. `number` counts all rounds at this table; a story is requested by it. */
export interface MatchView {
  round: number;
  of: number;
  totals: number[];
  winners: number[];
  number: number;
  starter: number;
  gifts_each: number;
  ended_early: boolean;
  story: boolean;
}

/** A permitted command: from which own `seat`, `to` which receivers, for which other `seats`, who may be `wrong`, which `moves` for an absent player, which `names` of people without a seat, whether to `agree` or withdraw, and whether agreeing includes questions (`probes`); about which `turn` is asked, and `about` which decision. */
export interface May {
  do: string;
  seat?: number;
  to?: number[];
  seats?: number[];
  wrong?: ("giver" | "receiver")[];
  moves?: ("accept" | "draw" | "give" | "refuse")[];
  names?: string[];
  agree?: boolean;
  probes?: boolean;
  turn?: number;
  about?: "answer" | "give";
}

/** One move: seconds since the deal, duration, events, view, the true gift, and the columns after it. */
export interface Moment {
  at: number;
  took: number;
  seat: number;
  by: "another" | "bot" | "itself" | "person" | "time";
  gift: string | null;
  events: RoundEvent[];
  view: View;
  columns: string[][];
}

/** A refused command, by its id (null when the id could not be read). `detail` is English, for programmers. */
export interface No {
  no: string | null;
  reason: string;
  detail: string;
}

/** The variant and pace of a table; `patience_seconds=0` is no limit. A new table starts with `NEW_TABLE`. */
export interface Options {
  edition: "classic" | "special";
  special_cards: boolean;
  arrows: "black" | "both" | "white";
  gifts_each: 1 | 2;
  rounds: "each" | "one";
  claims: "entered" | "spoken";
  starter: number | "random";
  show_seconds: number;
  patience_seconds: number;
  nudge_seconds: number;
  spectators: boolean;
  applause: boolean;
  pace: "brisk" | "normal" | "relaxed";
}

/** The round is over. */
export interface OverView {
  name: "over";
}

/** An own gift. `words`: name, with its article, two lines, synonyms, an empty list; `lang` is their language. */
export interface OwnContents {
  key: string;
  kind: string;
  picture: string;
  words: Record<string, [string, string, string, string, string[], string[]]>;
  lang: Record<string, string>;
}

/** An own gift in a file: picture, words, and look-alikes: catalogue gifts by key, own gifts by number (#1). */
export interface OwnGift {
  picture: string;
  words: Record<string, Word>;
  look_alikes?: string[];
}

/** A message at the rendezvous: numbers grow, `age` is in seconds, and only browsers can read `body`. */
export interface SealedMessage {
  number: number;
  age: number;
  body: string;
}

/** The new messages of a box at the rendezvous; none if none came while the request waited. */
export interface SealedMessages {
  messages: SealedMessage[];
}

/** What lies in front of one player: the column, bottom first, and the open penalties. */
export interface SeatView {
  column: (FaceUp | FaceDown)[];
  penalties: string[];
}

/** A player of that round, in seat order. */
export interface Seated {
  name: string;
  kind: "bot" | "person" | "program";
  level?: string;
  character?: string;
}

/** The shop: its open top gift, and how many cards are left with it. */
export interface ShopView {
  top: string | null;
  left: number;
}

/** The word with its article, and the two spoken lines. */
export interface SpokenLines {
  thing: string;
  offer: string;
  denial: string;
}

/** The whole state after a change. `you` and `may` are personal, the rest is the same for all. */
export interface State {
  v: number;
  view: TableView;
  happened: Shown[];
  you: number[];
  may: May[];
  ack?: string;
}

/** A round from the deal to the end, with all cards face up in `columns`; `notation` can be replayed. */
export interface Story {
  number: number;
  seats: Seated[];
  options: Options;
  gifts_each: number;
  starter: number;
  first: View;
  steps: Moment[];
  scores: number[];
  winners: number[];
  columns: Card[][];
  ended_early: boolean;
  awards: Award[];
  notation: string;
  deck?: number;
  match_awards?: Award[];
}

/** The public summary of a table. `you` is why this guest may not enter (`removed`, `no_spectators`) or may only watch (`locked`, `full`), or null. `invitation` is a link that still admits guests when the code alone does not. `home` is the address for other devices if the server knows a better one than the browser, such as for 127.0.0.1. */
export interface Summary {
  code: string;
  stage: "between" | "lobby" | "over" | "play";
  seats: Chair[];
  watching: number;
  locked: boolean;
  options: Options;
  match: MatchView | null;
  you: "full" | "locked" | "no_spectators" | "removed" | null;
  invitation: string;
  home: string;
}

/** The address of a new table. */
export interface TableLink {
  code: string;
  link: string;
}

/** The state of a table, the same for every seat, spectator and screen. `speed` is set if it is other than 1. */
export interface TableView {
  code: string;
  host: number | null;
  stage: "between" | "lobby" | "over" | "play";
  seats: Chair[];
  waiting: string[];
  watching: number;
  locked: boolean;
  paused: boolean;
  options: Options;
  match: MatchView | null;
  deadline: Deadline | null;
  round: View | null;
  host_away: boolean;
  speed?: number | null;
  screen: boolean;
  screens?: number | null;
  evening?: Tally[] | null;
  day?: string | null;
  deck?: DeckView | null;
  idle?: Idle | null;
  crowd?: Crowd | null;
}

/** A player's results at this table so far: matches played to the end, and those won. */
export interface Tally {
  name: string;
  wins: number;
  games: number;
}

/** A one-time link to continue as the same guest on another device. */
export interface Ticket {
  link: string;
  seconds: number;
}

/** A guest's token for programs; browsers get a cookie, and `null` here. */
export interface Token {
  token: string | null;
}

/** The state of a round, the same for every seat, spectator and screen. */
export interface View {
  turn: number;
  seats: SeatView[];
  shop: ShopView;
  phase: DrawView | WrapView | GiveView | AnswerView | JudgeView | OverView;
  scores: number[];
  winners: number[];
}

/** A noun without its article, as it stands in the middle of a sentence. `sound` is set only if the spelling misleads: a silent h, an aspirated one, a stressed Spanish a. `accusative` is set only if a German noun changes: Elefant, einen Elefanten. */
export interface Word {
  name: string;
  synonyms?: string[];
  gender?: "c" | "f" | "m" | "n";
  plural?: boolean;
  sound?: "consonant" | "impure" | "tonic_a" | "vowel";
  accusative?: string;
}

/** The giver's card lies open, to be wrapped. */
export interface WrapView {
  name: "wrap";
  giver: number;
  card: FaceUp;
  from_shop: boolean;
}

export type GuestCommand =
  /** Take a seat: a new one, one left before, or one from the next round on. With `program` no person plays. */
  | { do: "sit"; name: string; face?: string | null; program?: boolean }
  /** Change the name of a seat. */
  | { do: "rename"; name: string; seat?: number | null }
  /** Change the face of a seat to one that is free. */
  | { do: "set_face"; face: string; seat?: number | null }
  /** Give up a seat; without `seat`, all seats of this device. */
  | { do: "leave"; seat?: number | null }
  /** Add a computer player. `dials` (`memory`, `honesty`, `trust`, each 0 to 1) replace what its level and character say; with `surprise` they are drawn for each match, and shown when it is over. */
  | { do: "add_bot"; level: string; character?: string | null; name?: string | null; dials?: Record<string, number> | null; surprise?: boolean }
  /** Ban a guest from this table, by a seat or the name of one who waits for a seat; or remove a computer player. */
  | { do: "remove"; seat?: number | null; name?: string | null }
  /** Lift the ban of a removed guest, by the name they had. */
  | { do: "let_in"; name: string }
  /** Move a seat to another position; the others move up. */
  | { do: "move_seat"; seat: number; to: number }
  /** Put the seats into a random order. */
  | { do: "shuffle_seats" }
  /** Take the seat back from a stand-in. */
  | { do: "take_back"; seat?: number | null }
  /** Let a stranger who knocks in, to watch and to play from the next round on; or do not. */
  | { do: "answer_knock"; name: string; admit: boolean }
  /** Change options; those left out stay. */
  | { do: "set_options"; options: Partial<Options> }
  /** Change the pace, also during a match. */
  | { do: "set_pace"; pace: "brisk" | "normal" | "relaxed" }
  /** Play with an own deck of the catalogue's gifts; null returns to the edition. Own gifts are uploaded as a file. */
  | { do: "put_deck"; deck: Hat | null }
  /** Make another player the host. */
  | { do: "hand_over"; seat: number }
  /** Close the table to new players, or open it again. */
  | { do: "lock"; locked: boolean }
  /** Take the shop's top card (4.1). */
  | { do: "draw"; turn: number; seat?: number | null }
  /** Pass the wrapped card on (4.3). */
  | { do: "give"; turn: number; claim?: string | null; to?: number | null; seat?: number | null }
  /** Thank you (5). */
  | { do: "accept"; turn: number; seat?: number | null }
  /** That's not a hat! (6) */
  | { do: "refuse"; turn: number; seat?: number | null }
  /** Mark who was wrong about a spoken claim, or correct that (12.2). */
  | { do: "judge"; turn: number; wrong: "giver" | "receiver"; seat?: number | null }
  /** Start the match, or the next round without waiting until all are ready. */
  | { do: "start" }
  /** Be ready for the next round, or for a computer player's first draw; without `seat`, all seats of this device. */
  | { do: "ready"; seat?: number | null }
  /** Pause the match and its clock. */
  | { do: "pause" }
  /** End a pause. */
  | { do: "resume" }
  /** End the match early. */
  | { do: "end_match" }
  /** Return to the lobby after a match; with `deal`, vote for another match, which all present players decide. */
  | { do: "again"; deal?: boolean }
  /** Play the next match without an absent player. */
  | { do: "play_without"; seat: number }
  /** Let a computer player play for an absent player until they are back, or for one who stalls until they act. */
  | { do: "sit_in"; seat: number }
  /** Make the move of an absent player at a spoken table. */
  | { do: "move_for"; turn: number; seat: number; move: "accept" | "draw" | "give" | "refuse"; to?: number | null }
  /** Deal again without an absent player at a spoken table (8.4). */
  | { do: "deal_again"; seat: number }
  /** Remind an idle player that the table waits for them. */
  | { do: "nudge"; seat: number }
  /** Let a computer player make the current move of an idle player, who keeps the seat. */
  | { do: "bot_move"; turn: number; seat: number }
  /** Say whether you would believe the claim to another player. Votes are secret until the gift is revealed. */
  | { do: "vote"; turn: number; believe: boolean }
  /** Send an emote. */
  | { do: "emote"; emote: string; seat?: number | null }
  /** Agree that the operator may study the rounds played from now on, or withdraw that for all rounds. */
  | { do: "study"; agree: boolean }
  /** Say what you believe the gift of your decision at `turn` to be; `confidence`: 0 (no idea) to 4, null to skip. */
  | { do: "probe"; turn: number; believed?: string | null; confidence?: number | null };

export type RoundEvent =
  /** A gift came from the shop and was shown to all. */
  | { event: "drawn"; giver: number; gift: string }
  /** The open card in the giver's hand was turned face down. */
  | { event: "wrapped"; giver: number; back: "left" | "right" | "any" }
  /** The giver passed the wrapped card on and claimed a gift, or said it aloud (`claim=None`). */
  | { event: "offered"; giver: number; receiver: number; claim: string | null }
  /** The receiver said thank you and laid the card, unseen, on top of their column. */
  | { event: "accepted"; giver: number; receiver: number }
  /** The receiver doubted the claim, and the card was turned face up for all. */
  | { event: "refused"; giver: number; receiver: number; claim: string | null; gift: string }
  /** A player marked who was wrong; the mark may be corrected until the next move. */
  | { event: "judged"; seat: number; wrong: "giver" | "receiver" }
  /** The player who was wrong put the card on their discard pile. */
  | { event: "penalised"; seat: number; gift: string }
  /** A player has three penalties, and the round is over. */
  | { event: "ended"; scores: number[]; winners: number[] };

export type Shown =
  | RoundEvent
  /** A player took a seat. */
  | { event: "sat_down"; seat: number; name: string; kind: "bot" | "person" | "program" }
  /** A guest waits for the next round. */
  | { event: "will_sit"; name: string }
  /** A player changed their name. */
  | { event: "renamed"; seat: number; name: string }
  /** A player left. */
  | { event: "got_up"; seat: number; name: string }
  /** The host removed a player. */
  | { event: "sent_away"; seat: number; name: string }
  /** The host lets a removed guest come back. */
  | { event: "may_come_back"; name: string }
  /** A stranger knocks at the running table. */
  | { event: "knocked"; name: string }
  /** The seats were reordered: `order` lists the old seats in their new order. */
  | { event: "seats_changed"; order: number[] }
  /** The options or the deck changed. */
  | { event: "options_changed" }
  /** The host changed, or the absent host is back. */
  | { event: "host_changed"; seat: number | null }
  /** The table was locked or opened again. */
  | { event: "locked"; locked: boolean }
  /** A match started. */
  | { event: "match_started" }
  /** A round was dealt. Its first look lasts until the starter draws. */
  | { event: "round_dealt"; round: number; starter: number }
  /** The round was dealt again without a player (8.4). */
  | { event: "dealt_without"; seat: number; name: string }
  /** The player's time is up: the move that follows was made for them. */
  | { event: "out_of_time"; seat: number }
  /** A player paused the match. */
  | { event: "paused"; seat: number }
  /** A player ended the pause. */
  | { event: "resumed"; seat: number }
  /** A stand-in plays for this seat. */
  | { event: "sat_in"; seat: number }
  /** The move that follows is made by another person for an absent one. */
  | { event: "moved_for"; seat: number; by: number | null }
  /** A person took their seat back. */
  | { event: "took_back"; seat: number }
  /** A player is ready for the next round, or for the first draw. */
  | { event: "is_ready"; seat: number }
  /** The match is over: all rounds are played, or the host ended it. */
  | { event: "match_over"; totals: number[]; winners: number[]; ended_early: boolean }
  /** A player reminded an idle player. */
  | { event: "nudged"; seat: number; by: number }
  /** The move that follows is made by a computer player for an idle person, as another player wished. */
  | { event: "helped"; seat: number; by: number }
  /** So many guests believed or doubted the claim that was just refused; further events add to these numbers. */
  | { event: "crowd_voted"; believed: number; doubted: number }
  /** The next match is played without an absent player. */
  | { event: "left_out"; seat: number; name: string }
  /** A player sent an emote. */
  | { event: "emoted"; seat: number; emote: string }
  /** A spectator sent an emote. */
  | { event: "applauded"; emote: string }
  /** A computer player makes a remark: sentence `number` (modulo their count) of its character for an occasion. */
  | { event: "remarked"; seat: number; character: string; occasion: string; number: number }
  /** A player votes for another match. */
  | { event: "wants_again"; seat: number }
  /** The table is a lobby again. */
  | { event: "lobby_again" };

export type FromServer = State | Changes | No | HeartbeatReply;

export const EMOTES = [
  "hello", "thanks", "sorry", "laugh", "wow", "hmm", "oops", "clap",
] as const;

export const LEVELS = [
  "goldfish", "casual", "regular", "elephant",
] as const;

export const REASONS = [
  "too_few_players", "too_many_players", "wrong_gifts_each", "two_players_need_two_gifts", "wrong_penalties",
  "too_few_cards", "same_gift_twice", "no_such_seat", "not_your_turn", "wrong_phase", "not_a_receiver",
  "receiver_needed", "wrong_verdict", "already_judged", "round_over", "round_running", "match_over", "unreadable",
  "stale", "not_host", "not_seated", "not_your_seat", "table_full", "table_locked", "removed", "unknown_gift",
  "claim_needed", "claims_are_spoken", "no_bots_at_spoken_tables", "bots_can_play", "unknown_level",
  "unknown_character", "unknown_emote", "unknown_face", "face_taken", "bad_options", "bad_name", "not_a_person",
  "not_away", "match_running", "no_match", "paused", "not_paused", "not_ready", "not_removed", "not_knocking",
  "enough_faces", "enough_decks", "of_the_day", "no_study", "not_idle", "enough_nudges", "not_a_bystander",
  "deck_unreadable", "deck_too_new", "deck_too_big", "deck_too_small", "deck_twice", "deck_gift", "deck_name",
  "deck_picture", "deck_picture_tells", "no_guest", "bad_origin", "too_fast", "too_many_guests", "too_many_tries",
  "too_big", "no_such_table", "no_such_round", "no_such_deck", "no_such_ticket", "already_somebody", "no_such_page",
  "not_packed", "wrong_method", "no_spectators", "going_away", "busy",
] as const;

export const FACES = [
  "beret", "bicorne", "boater", "bobble", "bonnet", "bowler", "chef", "cowboy", "deerstalker", "fez", "jester",
  "mortarboard", "nightcap", "sailor", "ushanka", "wizard",
] as const;
export type Face = (typeof FACES)[number];

export const CHARACTERS = [
  "berta", "casimir", "dolores", "edgar", "fatima", "gustav", "hortense", "ilya",
] as const;
export type Character = (typeof CHARACTERS)[number];
