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

/** Add a computer player. */
export interface AddBot {
  do: "add_bot";
  level: string;
  character?: string | null;
  name?: string | null;
}

/** Return to the lobby after a match. With `deal`, vote for another match instead: it is dealt when all players who are present have voted. */
export interface Again {
  do: "again";
  deal?: boolean;
}

/** Let a stranger who knocks in, to watch and to play from the next round on; or do not. */
export interface AnswerKnock {
  do: "answer_knock";
  name: string;
  admit: boolean;
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

/** A spectator sent an emote. */
export interface Applauded {
  event: "applauded";
  emote: string;
}

/** A request for the lines of a word. */
export interface AskLines {
  lang: string;
  word: Word;
}

/** Who gets it (several seats if equal), and for what: how many times, or which claim for which gift. */
export interface Award {
  award: "best_memory" | "boldest_lie" | "most_suspicious" | "most_trusting";
  seats: number[];
  count?: number;
  claim?: string;
  gift?: string;
}

/** Let a computer player make the current move of an idle player, who keeps the seat. */
export interface BotMove {
  do: "bot_move";
  turn: number;
  seat: number;
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
  stand_in?: boolean;
  ready?: boolean;
  gone?: boolean;
  face?: string;
  again?: boolean;
}

/** A state as a delta, for clients that ask for it: `changed` replaces parts of the view, `round` parts of its round. `you` and `may` are left out if they did not change. */
export interface Changes {
  v: number;
  changed: Partial<TableView>;
  happened: (SatDown | WillSit | Renamed | GotUp | SentAway | MayComeBack | KnockShown | SeatsChanged | OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout | OutOfTime | Paused | Resumed | PlayedFor | MovedFor | TookBack | IsReady | MatchOver | Nudged | Helped | CrowdVoted | PlayedWithout | Emoted | Applauded | Remarked | WantsAgain | LobbyAgain | Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended)[];
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

/** So many guests believed or doubted the claim that was just refused; further events add to these numbers. */
export interface CrowdVoted {
  event: "crowd_voted";
  believed: number;
  doubted: number;
}

/** How many seconds are left before a move is made for a seat. */
export interface Deadline {
  for: number;
  seconds: number;
}

/** Deal again without an absent player at a spoken table (8.4). */
export interface DealAgain {
  do: "deal_again";
  seat: number;
}

/** The round was dealt again without a player (8.4). */
export interface DealtWithout {
  event: "dealt_without";
  seat: number;
  name: string;
}

/** All gifts of a deck that players made, without their arrows. The pictures are part of the message and have no URL, so that no request reveals which gift is looked at. */
export interface DeckContents {
  name: string;
  gifts: string[];
  own: OwnContents[];
}

/** The own deck of this table. Its gifts are requested by its `version`; `missing` is how many cards it lacks for the seated players (9.3). */
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

/** Send an emote. */
export interface Emote {
  do: "emote";
  emote: string;
  seat?: number | null;
}

/** A player sent an emote. */
export interface Emoted {
  event: "emoted";
  seat: number;
  emote: string;
}

/** End the match early. */
export interface EndMatch {
  do: "end_match";
}

/** A player has three penalties, and the round is over. */
export interface Ended {
  event: "ended";
  scores: number[];
  winners: number[];
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

/** A player left. */
export interface GotUp {
  event: "got_up";
  seat: number;
  name: string;
}

/** Make another player the host. */
export interface HandOver {
  do: "hand_over";
  seat: number;
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

/** A request for a `HeartbeatReply`. */
export interface Heartbeat {
  do: "beat";
}

/** The answer to a heartbeat: browsers cannot see pings. */
export interface HeartbeatReply {
  beat: true;
}

/** The move that follows is made by a computer player for an idle person, as another player wished. */
export interface Helped {
  event: "helped";
  seat: number;
  by: number;
}

/** The host changed, or the absent host is back. */
export interface HostChanged {
  event: "host_changed";
  seat: number | null;
}

/** A present person whom the table waits for. `help`: for so long that others may nudge them or let a computer player make the move. */
export interface Idle {
  for: number;
  help: boolean;
}

/** A player is ready for the next round, or for the first draw. */
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

/** A refused card lies open; the players are to judge who was wrong. */
export interface JudgeView {
  name: "judge";
  giver: number;
  receiver: number;
  card: FaceUp;
}

/** A player marked who was wrong; the mark may be corrected until the next move. */
export interface Judged {
  event: "judged";
  seat: number;
  wrong: "giver" | "receiver";
}

/** Whether the code alone is enough now, and how many seconds a player may still let this guest in. A table that does not exist, does not hear the knock or declines it answers in the same way. */
export interface KnockAnswer {
  admitted: boolean;
  seconds: number;
}

/** A request to be let in at a running table by its code alone. The same request again asks for the answer. */
export interface KnockRequest {
  name: string;
}

/** A stranger knocks at the running table. */
export interface KnockShown {
  event: "knocked";
  name: string;
}

/** Give up a seat; without `seat`, all seats of this device. */
export interface Leave {
  do: "leave";
  seat?: number | null;
}

/** Lift the ban of a removed guest, by the name they had. */
export interface LetIn {
  do: "let_in";
  name: string;
}

/** The table is a lobby again. */
export interface LobbyAgain {
  event: "lobby_again";
}

/** Close the table to new players, or open it again. */
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

/** A match started. */
export interface MatchStarted {
  event: "match_started";
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

/** The host lets a removed guest come back. */
export interface MayComeBack {
  event: "may_come_back";
  name: string;
}

/** One move: its time (seconds since the deal) and duration, its events and view, the true gift, and the gifts in each column afterwards, oldest first. */
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

/** Make the move of an absent player at a spoken table. */
export interface MoveFor {
  do: "move_for";
  turn: number;
  seat: number;
  move: "accept" | "draw" | "give" | "refuse";
  to?: number | null;
}

/** Move a seat to another position; the others move up. */
export interface MoveSeat {
  do: "move_seat";
  seat: number;
  to: number;
}

/** The move that follows is made by another person for an absent one. */
export interface MovedFor {
  event: "moved_for";
  seat: number;
  by: number | null;
}

/** A request to become a guest. A page below a path says which (`base`), for its cookie. A page whose browser refuses cookies, in a frame of another site, sets `cookies` to false and gets a token, as programs do. */
export interface NewGuest {
  base: string;
  cookies: boolean;
}

/** A refused command, by its id (null when the id could not be read). `detail` is English, for programmers. */
export interface No {
  no: string | null;
  reason: string;
  detail: string;
}

/** Remind an idle player that the table waits for them. */
export interface Nudge {
  do: "nudge";
  seat: number;
}

/** A player reminded an idle player. */
export interface Nudged {
  event: "nudged";
  seat: number;
  by: number;
}

/** The giver passed the wrapped card on and claimed a gift, or said it aloud (`claim=None`). */
export interface Offered {
  event: "offered";
  giver: number;
  receiver: number;
  claim: string | null;
}

/** A request for a new table; missing options have their defaults. The guest who opens it is the host, a big `screen` only until a player sits down. With a `day` the table plays the gift of that day, with its options; only `pace` can be chosen. */
export interface OpenTable {
  options?: Partial<Options>;
  screen?: boolean;
  day?: string | null;
}

/** The variant and the pace of a table. With `patience_seconds=0` it waits without limit: gently if `nudge_seconds` is set. The defaults are those of logs that lack an option; a new table starts with `NEW_TABLE`. */
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

/** The options or the deck changed. */
export interface OptionsChanged {
  event: "options_changed";
}

/** The player's time is up: the move that follows was made for them. */
export interface OutOfTime {
  event: "out_of_time";
  seat: number;
}

/** The round is over. */
export interface OverView {
  name: "over";
}

/** An own gift of a deck. `words` has for each language: the name, the name with its article, the lines of giver and doubting receiver, synonyms, and an empty list. `lang` is the language of these words. */
export interface OwnContents {
  key: string;
  kind: string;
  picture: string;
  words: Record<string, [string, string, string, string, string[], string[]]>;
  lang: Record<string, string>;
}

/** An own gift in a file: a picture, words in one language or more, and look-alikes: catalogue gifts by key, own gifts by their number in the file (#1). */
export interface OwnGift {
  picture: string;
  words: Record<string, Word>;
  look_alikes?: string[];
}

/** Pause the match and its clock. */
export interface Pause {
  do: "pause";
}

/** A player paused the match. */
export interface Paused {
  event: "paused";
  seat: number;
}

/** The player who was wrong put the card on their discard pile. */
export interface Penalised {
  event: "penalised";
  seat: number;
  gift: string;
}

/** Play the next match without an absent player. */
export interface PlayWithout {
  do: "play_without";
  seat: number;
}

/** A stand-in plays for this seat. */
export interface PlayedFor {
  event: "sat_in";
  seat: number;
}

/** The next match is played without an absent player. */
export interface PlayedWithout {
  event: "left_out";
  seat: number;
  name: string;
}

/** Answer what you believe the gift of your decision at `turn` to be, and how surely: 1 (a guess) to 4 (certain), or 0 without a gift. Without `confidence`, skip the question. */
export interface Probe {
  do: "probe";
  turn: number;
  believed?: string | null;
  confidence?: number | null;
}

/** Play with an own deck of the catalogue's gifts; null returns to the edition. A deck with own gifts is uploaded as a file. */
export interface PutDeck {
  do: "put_deck";
  deck: Hat | null;
}

/** Be ready for the next round, or for a computer player's first draw; without `seat`, all seats of this device. */
export interface Ready {
  do: "ready";
  seat?: number | null;
}

/** The body of every HTTP refusal. */
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

/** A computer player makes a remark: sentence `number` (modulo their count) of its character for an occasion. */
export interface Remarked {
  event: "remarked";
  seat: number;
  character: string;
  occasion: string;
  number: number;
}

/** Ban a guest from this table, by a seat or the name of one who waits for a seat; or remove a computer player. */
export interface Remove {
  do: "remove";
  seat?: number | null;
  name?: string | null;
}

/** Change the name of a seat. */
export interface Rename {
  do: "rename";
  name: string;
  seat?: number | null;
}

/** A player changed their name. */
export interface Renamed {
  event: "renamed";
  seat: number;
  name: string;
}

/** End a pause. */
export interface Resume {
  do: "resume";
}

/** A player ended the pause. */
export interface Resumed {
  event: "resumed";
  seat: number;
}

/** A round was dealt. Its first look lasts until the starter draws. */
export interface RoundDealt {
  event: "round_dealt";
  round: number;
  starter: number;
}

/** A player took a seat. */
export interface SatDown {
  event: "sat_down";
  seat: number;
  name: string;
  kind: "bot" | "person" | "program";
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

/** The seats were reordered: `order` lists the old seats in their new order. */
export interface SeatsChanged {
  event: "seats_changed";
  order: number[];
}

/** The host removed a player. */
export interface SentAway {
  event: "sent_away";
  seat: number;
  name: string;
}

/** Change the face of a seat to one that is free. */
export interface SetFace {
  do: "set_face";
  face: string;
  seat?: number | null;
}

/** Change options; those left out stay. */
export interface SetOptions {
  do: "set_options";
  options: Partial<Options>;
}

/** Change the pace, also during a match. */
export interface SetPace {
  do: "set_pace";
  pace: "brisk" | "normal" | "relaxed";
}

/** The shop: its open top gift, and how many cards are left with it. */
export interface ShopView {
  top: string | null;
  left: number;
}

/** Put the seats into a random order. */
export interface ShuffleSeats {
  do: "shuffle_seats";
}

/** Take a seat, another seat on the same device, a seat left before, or a seat from the next round on. A wanted `face` that another person has is replaced by a free one. A `program` says that no person plays. */
export interface Sit {
  do: "sit";
  name: string;
  face?: string | null;
  program?: boolean;
}

/** Let a computer player play for an absent player until they are back; or for a present one who has stalled the table before, until they act. */
export interface SitIn {
  do: "sit_in";
  seat: number;
}

/** The word with its article, and the two spoken lines. */
export interface SpokenLines {
  thing: string;
  offer: string;
  denial: string;
}

/** Start the match, or the next round without waiting until all are ready. */
export interface Start {
  do: "start";
}

/** The whole state after a change. `you` and `may` are personal, the rest is the same for all. */
export interface State {
  v: number;
  view: TableView;
  happened: (SatDown | WillSit | Renamed | GotUp | SentAway | MayComeBack | KnockShown | SeatsChanged | OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout | OutOfTime | Paused | Resumed | PlayedFor | MovedFor | TookBack | IsReady | MatchOver | Nudged | Helped | CrowdVoted | PlayedWithout | Emoted | Applauded | Remarked | WantsAgain | LobbyAgain | Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended)[];
  you: number[];
  may: May[];
  ack?: string;
}

/** A round from the deal to the end. `columns` are all cards at the end, face up; `notation` is a text from which the round can be replayed. */
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

/** Agree that the operator may study the rounds played from now on, or withdraw that for all rounds. */
export interface Study {
  do: "study";
  agree: boolean;
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

/** The current state of a table, the same for every seat, spectator and screen. `speed` is set if the table's pace and the server's make it other than 1. */
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

/** Take the seat back from a stand-in. */
export interface TakeBack {
  do: "take_back";
  seat?: number | null;
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

/** A person took their seat back. */
export interface TookBack {
  event: "took_back";
  seat: number;
}

/** A request that redeems a ticket, the last part of its link. `instead` lets a browser that has a guest already replace it. `base` and `cookies` are as in `NewGuest`. */
export interface UseTicket {
  ticket: string;
  instead: boolean;
  base: string;
  cookies: boolean;
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

/** Say whether you would believe the current claim, as neither its giver nor its receiver. The room keeps votes to itself until the gift is revealed, and forgets them if it is accepted. */
export interface Vote {
  do: "vote";
  turn: number;
  believe: boolean;
}

/** A player votes for another match. */
export interface WantsAgain {
  event: "wants_again";
  seat: number;
}

/** A guest waits for the next round. */
export interface WillSit {
  event: "will_sit";
  name: string;
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

/** The open card in the giver's hand was turned face down. */
export interface Wrapped {
  event: "wrapped";
  giver: number;
  back: "left" | "right" | "any";
}

export type GuestCommand = Sit | Rename | SetFace | Leave | AddBot | Remove | LetIn | MoveSeat | ShuffleSeats | TakeBack | AnswerKnock | SetOptions | SetPace | PutDeck | HandOver | Lock | Draw | Give | Accept | Refuse | Judge | Start | Ready | Pause | Resume | EndMatch | Again | PlayWithout | SitIn | MoveFor | DealAgain | Nudge | BotMove | Vote | Emote | Study | Probe;

export type Shown = SatDown | WillSit | Renamed | GotUp | SentAway | MayComeBack | KnockShown | SeatsChanged | OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout | OutOfTime | Paused | Resumed | PlayedFor | MovedFor | TookBack | IsReady | MatchOver | Nudged | Helped | CrowdVoted | PlayedWithout | Emoted | Applauded | Remarked | WantsAgain | LobbyAgain | Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended;

export type Frame = ({ id: string } & GuestCommand) | Heartbeat;

export type FromServer = State | Changes | No | HeartbeatReply;

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

export const FACES = [
  "beret",
  "bicorne",
  "boater",
  "bobble",
  "bonnet",
  "bowler",
  "chef",
  "cowboy",
  "deerstalker",
  "fez",
  "jester",
  "mortarboard",
  "nightcap",
  "sailor",
  "ushanka",
  "wizard",
] as const;
export type Face = (typeof FACES)[number];

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
  "wrong_penalties",
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
  "unknown_face",
  "face_taken",
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
  "not_knocking",
  "enough_faces",
  "enough_decks",
  "of_the_day",
  "no_study",
  "not_idle",
  "enough_nudges",
  "not_a_bystander",
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
