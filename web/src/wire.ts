// Made by `python -m notahat.wire.typescript`; change src/notahat/wire/ or src/notahat/table/ instead.

/** Thank you (5). */
export interface Accept {
  do: "accept";
  turn: number;
  seat?: number | null;
}

/** The receiver said thank you and laid the card, unseen, on top of their column. */
export interface Accepted {
  event: "accepted";
  giver: number;
  receiver: number;
}

/** Seat a computer player. */
export interface AddBot {
  do: "add_bot";
  level: string;
  character?: string | null;
  name?: string | null;
}

/** After a match: back to the lobby, with the same people and those who waited. To `deal` is a proposal: the next match is dealt as soon as everybody who is here wants it, and nobody is torn away from anything before. */
export interface Again {
  do: "again";
  deal?: boolean;
}

/** A wrapped card is offered; the receiver is to answer. */
export interface AnswerView {
  name: "answer";
  giver: number;
  receiver: number;
  card: FaceDown;
  claim: string | null;
  from_shop: boolean;
}

/** Somebody who watches pulled a face. */
export interface Applauded {
  event: "applauded";
  emote: string;
}

/** A word somebody thinks of for an own gift. */
export interface AskLines {
  lang: string;
  word: Word;
}

/** Who gets it; shared if equal, and for what: how many times, or which claim for which gift. */
export interface Award {
  award: "best_memory" | "boldest_lie" | "most_suspicious" | "most_trusting";
  seats: number[];
  count?: number;
  claim?: string;
  gift?: string;
}

/** The heartbeat's echo: browsers cannot see pings. */
export interface Beat {
  beat: true;
}

/** One card. It never tells which of its sides is up: that is for the round to know. */
export interface Card {
  gift: string;
  back: "left" | "right" | "any";
}

/** Somebody at the table. `stand_in` is there when a computer player plays for them, `gone` when they have left. */
export interface Chair {
  name: string;
  kind: "bot" | "person";
  away: boolean;
  level?: string;
  character?: string;
  stand_in?: boolean;
  ready?: boolean;
  gone?: boolean;
  again?: boolean;
}

/** A state for who asked for changes only: `changed` replaces these parts of the view, `round` these parts of its round. `you` and `may` are left out while they stay as they were. */
export interface Changes {
  v: number;
  changed: Partial<TableView>;
  happened: (SatDown | WillSit | Renamed | GotUp | SentAway | MayComeBack | SeatsChanged | OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout | OutOfTime | Paused | Resumed | PlayedFor | MovedFor | TookBack | IsReady | MatchOver | Emoted | Applauded | Remarked | WantsAgain | LobbyAgain | Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended)[];
  round?: Partial<View>;
  you?: number[];
  may?: May[];
  ack?: string;
}

/** How many seconds are left before the house acts for a seat. */
export interface Deadline {
  for: number;
  seconds: number;
}

/** Deal again without somebody who is away, at a spoken table (8.4). */
export interface DealAgain {
  do: "deal_again";
  seat: number;
}

/** The round is broken off and dealt again without somebody; `seat` is where they sat (8.4). */
export interface DealtWithout {
  event: "dealt_without";
  seat: number;
  name: string;
}

/** All gifts of a deck that somebody made, with no word about their arrows. Pictures come all at once and have no address of their own: nobody can tell from a request which gift is looked at. */
export interface DeckTold {
  name: string;
  gifts: string[];
  own: OwnTold[];
}

/** The deck that somebody made and put on this table. Its gifts are read by its `version`; `missing` is how many cards more it takes for those who sit here (9.3). */
export interface DeckView {
  name: string;
  cards: number;
  version: number;
  missing: number;
}

/** Take the shop's top card (4.1). */
export interface Draw {
  do: "draw";
  turn: number;
  seat?: number | null;
}

/** The giver is to draw. */
export interface DrawView {
  name: "draw";
  giver: number;
}

/** A gift came from the shop and was shown to all. */
export interface Drawn {
  event: "drawn";
  giver: number;
  gift: string;
}

/** Pull a face. */
export interface Emote {
  do: "emote";
  emote: string;
  seat?: number | null;
}

/** Somebody pulled a face. */
export interface Emoted {
  event: "emoted";
  seat: number;
  emote: string;
}

/** End the match before its time. */
export interface EndMatch {
  do: "end_match";
}

/** Somebody has three penalties, and the round is over. */
export interface Ended {
  event: "ended";
  scores: number[];
  winners: number[];
}

/** A card whose arrow all can see. It has no name and no identity. */
export interface FaceDown {
  face: "down";
  back: "left" | "right" | "any";
}

/** A card whose gift all can see, and whose arrow nobody can. */
export interface FaceUp {
  face: "up";
  gift: string;
}

/** Pass the wrapped card on (4.3). */
export interface Give {
  do: "give";
  turn: number;
  claim?: string | null;
  to?: number | null;
  seat?: number | null;
}

/** The giver's card is wrapped and goes to one of the receivers. */
export interface GiveView {
  name: "give";
  giver: number;
  card: FaceDown;
  from_shop: boolean;
  receivers: number[];
}

/** Somebody left; `seat` is where they sat. */
export interface GotUp {
  event: "got_up";
  seat: number;
  name: string;
}

/** Make somebody else the host. */
export interface HandOver {
  do: "hand_over";
  seat: number;
}

/** The file as it is written. Cards are named by the gift on them; the arrows of `balanced` ones are chosen so that both colours are as many. */
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

/** Are you there? */
export interface Heartbeat {
  do: "beat";
}

/** Somebody else is the host now, or the host is back. */
export interface HostChanged {
  event: "host_changed";
  seat: number | null;
}

/** Somebody is ready, for the next round or to begin. */
export interface IsReady {
  event: "is_ready";
  seat: number;
}

/** Mark who was wrong about a spoken claim, or correct that (12.2). */
export interface Judge {
  do: "judge";
  turn: number;
  wrong: "giver" | "receiver";
  seat?: number | null;
}

/** A refused card lies open; the table is to say who was wrong about it. */
export interface JudgeView {
  name: "judge";
  giver: number;
  receiver: number;
  card: FaceUp;
}

/** Somebody at the table marked who was wrong; it may be marked anew until the next move. */
export interface Judged {
  event: "judged";
  seat: number;
  wrong: "giver" | "receiver";
}

/** Get up for good; without `seat`, with everybody on this device. */
export interface Leave {
  do: "leave";
  seat?: number | null;
}

/** Let somebody come back who was sent away, by the name they had. */
export interface LetIn {
  do: "let_in";
  name: string;
}

/** The word with its article, and the two lines that grammar makes of it. */
export interface LinesTold {
  thing: string;
  offer: string;
  denial: string;
}

/** The table is a lobby again. */
export interface LobbyAgain {
  event: "lobby_again";
}

/** Let nobody else sit down, or let them again. */
export interface Lock {
  do: "lock";
  locked: boolean;
}

/** The table was locked or opened again. */
export interface Locked {
  event: "locked";
  locked: boolean;
}

/** The match is over: all rounds are played, or the host ended it. */
export interface MatchOver {
  event: "match_over";
  totals: number[];
  winners: number[];
  ended_early: boolean;
}

/** A match began. */
export interface MatchStarted {
  event: "match_started";
}

/** How far the match is. `number` counts all rounds dealt at this table: the one to ask for its story. */
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

/** One thing to do: from an own `seat`, `to` which receivers, about which other `seats`, who may be `wrong`; which `moves` to make for somebody, the `names` of people without a seat, and whether it is to `agree` or to withdraw. */
export interface May {
  do: string;
  seat?: number;
  to?: number[];
  seats?: number[];
  wrong?: ("giver" | "receiver")[];
  moves?: ("accept" | "draw" | "give" | "refuse")[];
  names?: string[];
  agree?: boolean;
}

/** The host lets somebody come back whom they had removed. */
export interface MayComeBack {
  event: "may_come_back";
  name: string;
}

/** One move: when (seconds since the deal), how long it took, what everyone saw, what the gift really was, and what lay in each column afterwards, oldest first. */
export interface Moment {
  at: number;
  took: number;
  seat: number;
  by: "another" | "bot" | "itself" | "person" | "time";
  gift: string | null;
  events: (Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended)[];
  view: View;
  columns: string[][];
}

/** Make the move of somebody who is away, at a spoken table: draw, pass on what they say, or answer for them. */
export interface MoveFor {
  do: "move_for";
  turn: number;
  seat: number;
  move: "accept" | "draw" | "give" | "refuse";
  to?: number | null;
}

/** Let somebody sit elsewhere; the others move up. */
export interface MoveSeat {
  do: "move_seat";
  seat: number;
  to: number;
}

/** Somebody makes the move that follows for a person who is away. */
export interface MovedFor {
  event: "moved_for";
  seat: number;
  by: number | null;
}

/** A refused command, by its id (null when the id could not be read). `detail` is English, for programmers. */
export interface No {
  no: string | null;
  reason: string;
  detail: string;
}

/** The giver passed the wrapped card on and claimed a gift, or said it aloud (`claim=None`). */
export interface Offered {
  event: "offered";
  giver: number;
  receiver: number;
  claim: string | null;
}

/** What to open a table with; options left out have their defaults. Whoever opens it is the host; a big `screen` is so only until somebody sits down. With a `day` it is a table for the gift of that day, options and all. */
export interface OpenTable {
  options?: Partial<Options>;
  screen?: boolean;
  day?: string | null;
}

/** The variant and the pace of a table. `patience_seconds=0` waits for ever. */
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
  spectators: boolean;
  applause: boolean;
  pace: "brisk" | "normal" | "relaxed";
}

/** The table agreed on other options. */
export interface OptionsChanged {
  event: "options_changed";
}

/** The table's patience ended: the house makes the move that follows. */
export interface OutOfTime {
  event: "out_of_time";
  seat: number;
}

/** The round is over. */
export interface OverView {
  name: "over";
}

/** A gift that is in no catalogue: a picture, its words in one language or more, and what it is easily taken for: gifts of the catalogue by key, other own ones by their number in the file (#1). */
export interface OwnGift {
  picture: string;
  words: Record<string, Word>;
  look_alikes?: string[];
}

/** An own gift of a deck. `words` has for each language its name, its name with an article, what a giver and what a doubting receiver says, other words for it, and nothing it could be taken for; `lang` in which language that is. */
export interface OwnTold {
  key: string;
  kind: string;
  picture: string;
  words: Record<string, [string, string, string, string, string[], string[]]>;
  lang: Record<string, string>;
}

/** Stop the clock and the play. */
export interface Pause {
  do: "pause";
}

/** Somebody stopped the clock. */
export interface Paused {
  event: "paused";
  seat: number;
}

/** Whoever was wrong laid the card on their discard pile. */
export interface Penalised {
  event: "penalised";
  seat: number;
  gift: string;
}

/** A computer player plays for somebody. */
export interface PlayedFor {
  event: "sat_in";
  seat: number;
}

/** Play with a deck of the catalogue's gifts that somebody made (own ones are brought as a file); null takes it away, and the edition is played again. */
export interface PutDeck {
  do: "put_deck";
  deck: Hat | null;
}

/** Be ready for the next round, or for a computer player to begin; without `seat`, everybody on this device. */
export interface Ready {
  do: "ready";
  seat?: number | null;
}

/** The body of every HTTP answer that says no. */
export interface Refusal {
  reason: string;
  detail: string;
}

/** That's not a hat! (6) */
export interface Refuse {
  do: "refuse";
  turn: number;
  seat?: number | null;
}

/** The receiver doubted the claim, and the card was turned face up for all. */
export interface Refused {
  event: "refused";
  giver: number;
  receiver: number;
  claim: string | null;
  gift: string;
}

/** A computer player says something: line `number` of its character for an occasion, counted round. */
export interface Remarked {
  event: "remarked";
  seat: number;
  character: string;
  occasion: string;
  number: number;
}

/** Send somebody away from this table for good, or take a computer player's chair away. */
export interface Remove {
  do: "remove";
  seat: number;
}

/** Be called something else. */
export interface Rename {
  do: "rename";
  name: string;
  seat?: number | null;
}

/** Somebody is called something else. */
export interface Renamed {
  event: "renamed";
  seat: number;
  name: string;
}

/** Go on after a pause. */
export interface Resume {
  do: "resume";
}

/** Somebody let the clock go on. */
export interface Resumed {
  event: "resumed";
  seat: number;
}

/** A round lies on the table. Everyone looks round; the starter draws when they like. */
export interface RoundDealt {
  event: "round_dealt";
  round: number;
  starter: number;
}

/** Somebody took a seat. */
export interface SatDown {
  event: "sat_down";
  seat: number;
  name: string;
  kind: "bot" | "person";
}

/** What lies in front of one player: the column, bottom first, and the open penalties. */
export interface SeatView {
  column: (FaceUp | FaceDown)[];
  penalties: string[];
}

/** Who sat where in that round. */
export interface Seated {
  name: string;
  kind: "bot" | "person";
  level?: string;
  character?: string;
}

/** People changed seats: `order` lists the old seats in their new order. */
export interface SeatsChanged {
  event: "seats_changed";
  order: number[];
}

/** The host removed somebody; `seat` is where they sat. */
export interface SentAway {
  event: "sent_away";
  seat: number;
  name: string;
}

/** Agree on other options; those left out stay. */
export interface SetOptions {
  do: "set_options";
  options: Partial<Options>;
}

/** The shop: its open top gift, and how many cards are left with it. */
export interface ShopView {
  top: string | null;
  left: number;
}

/** Seat everyone at random. */
export interface ShuffleSeats {
  do: "shuffle_seats";
}

/** Take a seat, another one on the same device, the seat one had left, or one from the next round on. */
export interface Sit {
  do: "sit";
  name: string;
}

/** Let a computer player play for somebody who is away, until they are back. */
export interface SitIn {
  do: "sit_in";
  seat: number;
}

/** Start the match, or the next round without waiting for everyone to be ready. */
export interface Start {
  do: "start";
}

/** After every change: the whole present. `you` and `may` are personal, the rest is the same for all. */
export interface State {
  v: number;
  view: TableView;
  happened: (SatDown | WillSit | Renamed | GotUp | SentAway | MayComeBack | SeatsChanged | OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout | OutOfTime | Paused | Resumed | PlayedFor | MovedFor | TookBack | IsReady | MatchOver | Emoted | Applauded | Remarked | WantsAgain | LobbyAgain | Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended)[];
  you: number[];
  may: May[];
  ack?: string;
}

/** A round from the deal to the end. `columns` are all cards as they lay at last, turned over; `notation` is a text to keep, from which the round can be played again. */
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
}

/** Agree that whoever runs the server may study the rounds one plays here from now on, or take that back for all. */
export interface Study {
  do: "study";
  agree: boolean;
}

/** What anybody who knows the code may read of a table. `you` is why the guest who asks may not come in (`removed`, `no_spectators`) or may only watch (`locked`, `full`); null if nothing stands in the way. `invitation` is a link that lets in whoever has it, also when the four letters do not any more; `home` is where others reach this server, if it knows better than the browser that asks: a screen on the same machine is at 127.0.0.1, phones are not. */
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

/** Where a new table is. */
export interface TableLink {
  code: string;
  link: string;
}

/** The present of a table, the same for every seat, spectator and screen. `speed` is there when all goes faster or slower than normal, by the table's pace and the server's. */
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
  speed?: number;
  screen: boolean;
  screens?: number;
  evening?: Tally[];
  day?: string;
  deck?: DeckView;
}

/** How somebody has done at this table so far: matches they played to the end, and those they won. */
export interface Tally {
  name: string;
  wins: number;
  games: number;
}

/** A one-time link to go on as the same guest on another device. */
export interface Ticket {
  link: string;
  seconds: number;
}

/** A guest's token for programs; browsers get a cookie and `null`. */
export interface Token {
  token: string | null;
}

/** A person plays for themselves again. */
export interface TookBack {
  event: "took_back";
  seat: number;
}

/** What to send for a ticket: the last part of its link. A browser that is a guest already says that it will be this one `instead`. */
export interface UseTicket {
  ticket: string;
  instead: boolean;
}

/** The present of a round, the same for every seat, spectator and screen. */
export interface View {
  turn: number;
  seats: SeatView[];
  shop: ShopView;
  phase: DrawView | WrapView | GiveView | AnswerView | JudgeView | OverView;
  scores: number[];
  winners: number[];
}

/** Somebody wants another match. */
export interface WantsAgain {
  event: "wants_again";
  seat: number;
}

/** Somebody waits for the next round. */
export interface WillSit {
  event: "will_sit";
  name: string;
}

/** A noun without its article, as it stands in the middle of a sentence. `sound` is given only where the spelling misleads: a silent h, an aspirated one, a stressed Spanish a. `accusative` is given only where a German noun changes: Elefant, einen Elefanten. */
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

/** The open card in the giver's hand was turned face down. */
export interface Wrapped {
  event: "wrapped";
  giver: number;
  back: "left" | "right" | "any";
}

export type GuestCommand = Sit | Rename | Leave | AddBot | Remove | LetIn | MoveSeat | ShuffleSeats | SetOptions | PutDeck | HandOver | Lock | Start | Draw | Give | Accept | Refuse | Judge | Pause | Resume | SitIn | MoveFor | DealAgain | EndMatch | Emote | Ready | Again | Study;

export type Shown = SatDown | WillSit | Renamed | GotUp | SentAway | MayComeBack | SeatsChanged | OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout | OutOfTime | Paused | Resumed | PlayedFor | MovedFor | TookBack | IsReady | MatchOver | Emoted | Applauded | Remarked | WantsAgain | LobbyAgain | Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended;

export type Frame = ({ id: string } & GuestCommand) | Heartbeat;

export type FromServer = State | Changes | No | Beat;

export const EMOTES = [
  "hello",
  "thanks",
  "sorry",
  "laugh",
  "wow",
  "hmm",
  "oops",
  "clap",
] as const;
export type EmoteName = (typeof EMOTES)[number];

export const LEVELS = [
  "goldfish",
  "casual",
  "regular",
  "elephant",
] as const;
export type Level = (typeof LEVELS)[number];

export const CHARACTERS = [
  "berta",
  "casimir",
  "dolores",
  "edgar",
  "fatima",
  "gustav",
  "hortense",
  "ilya",
] as const;
export type Character = (typeof CHARACTERS)[number];

export const REASONS = [
  "too_few_players",
  "too_many_players",
  "wrong_gifts_each",
  "two_players_need_two_gifts",
  "too_few_cards",
  "same_gift_twice",
  "no_such_seat",
  "not_your_turn",
  "wrong_phase",
  "not_a_receiver",
  "receiver_needed",
  "wrong_verdict",
  "already_judged",
  "round_over",
  "round_running",
  "match_over",
  "unreadable",
  "stale",
  "not_host",
  "not_seated",
  "not_your_seat",
  "table_full",
  "table_locked",
  "removed",
  "unknown_gift",
  "claim_needed",
  "claims_are_spoken",
  "no_bots_at_spoken_tables",
  "bots_can_play",
  "unknown_level",
  "unknown_character",
  "unknown_emote",
  "bad_options",
  "bad_name",
  "not_a_person",
  "not_away",
  "match_running",
  "no_match",
  "paused",
  "not_paused",
  "not_ready",
  "not_removed",
  "enough_faces",
  "enough_decks",
  "of_the_day",
  "no_study",
  "deck_unreadable",
  "deck_too_new",
  "deck_too_big",
  "deck_too_small",
  "deck_twice",
  "deck_gift",
  "deck_name",
  "deck_picture",
  "deck_picture_tells",
  "no_guest",
  "bad_origin",
  "too_fast",
  "too_many_guests",
  "too_many_tries",
  "too_big",
  "no_such_table",
  "no_such_round",
  "no_such_deck",
  "no_such_ticket",
  "already_somebody",
  "no_such_page",
  "not_packed",
  "wrong_method",
  "no_spectators",
  "going_away",
  "busy",
] as const;
export type Reason = (typeof REASONS)[number];
