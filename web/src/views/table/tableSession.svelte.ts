// One open table in this browser: its connection, the scenes being played, announcements, sounds and the page title.

import { loadChunk } from "../../net/fetchAsset.ts";
import { isRemote, fetchStory } from "../../net/api.ts";
import { ReconnectingConnection, type ConnectionStatus } from "../../net/connection.ts";
import { href, type Intent } from "../../app/router.svelte.ts";
import { settings, withFace } from "../../app/settings.svelte.ts";
import { vibrate, play, speak } from "../../app/sound.ts";
import { isDue, may, MOVES } from "../../game/permissions.ts";
import type { GuestCommand, Shown, State, TableView } from "../../made/wire.ts";
import { locale, words } from "../../words/words.svelte.ts";
import { startDeadline } from "../../game/deadline.ts";
import { soundsOf } from "../../game/sceneSounds.ts";
import type { Scene } from "../../game/boardModel.ts";
import { endOf } from "../../game/claimHistory.ts";
import type { RoundEnd } from "../../game/scenes.ts";
import { ScenePlayer } from "./scenePlayer.svelte.ts";
import { VoteAnswers } from "./voteAnswers.svelte.ts";
import { Announcer } from "./announcer.svelte.ts";
import { introductions } from "./peopleNews.ts";
import type { Sentence } from "../../game/sentences.ts";
import { renderText } from "./renderSentence.ts";

const BUBBLE_MS = 3500;
const INTRODUCTION_MS = 2200; // until the next computer player introduces itself
const REVEAL_TIMEOUT_MS = 1500; // about as long as the stamp is shown
const ROUND_MS = 4300; // a close-up on a tablet stops at each edge for 850 ms

type Device = "personal" | "tablet" | "big screen";
const sentenceOf = ({ sentence }: Scene): Sentence | null => sentence;

export class TableSession {
  status = $state<ConnectionStatus>("connecting");
  reason = $state(""); // why the table is gone
  notice = $state(""); // why the last command was refused
  readonly announcer = new Announcer();
  readonly voteAnswers = new VoteAnswers();
  bubbles = $state<Record<number, string>>({}); // current remarks and emotes by seat
  pending = $state<string | null>(null); // the id of a move without an answer yet; until then no other move is offered
  starting = $state(false); // a game that starts at once is being set up: its lobby is not shown
  nudged = $state(false); // the table waits for a player on this device
  nudges = $state(0);
  readonly player = new ScenePlayer({ onScene: (scene, state) => this.#onScene(scene, state), fetchEnd });
  /** Nothing moves, the connection is open and no move is pending: the player may act. */
  readonly settled = $derived(this.player.settled && this.status === "open" && this.pending === null);
  readonly #connection: ReconnectingConnection;
  #latest: TableView | null = null; // last received; the player may still show an older one
  #before: State | null = null;
  #due = false;
  #deckVersion = 0; // of the own deck

  /** On a shared device (tablet, big screen) texts address nobody as "you": everyone has a name. */
  constructor(code: string, intent: Intent, device: Device = "personal", private readonly promptOf = sentenceOf) {
    if (device === "tablet") this.player.leastStamp = ROUND_MS;
    const { commands = [] } = intent;
    let { joinAs = "" } = intent;
    this.starting = commands.some((command) => command.do === "start");
    this.#connection = new ReconnectingConnection(code, {
      state: (state) => {
        startDeadline(state.view, this.#latest);
        this.#latest = state.view;
        if (state.view.stage !== "lobby") this.starting = false;
        this.#loadDeck(state.view.code, state.view.deck?.version ?? 0);
        if (device !== "big screen") this.#remind(state);
        if (device === "personal") this.#notify(state);
        this.player.show(device === "personal" ? state : { ...state, you: [] });
        this.#onAnswer(state.ack ?? null);
        if (!joinAs || state.view.stage !== "lobby") return;
        if (state.you.length === 0 && may(state, "sit")) this.send({ do: "sit", name: joinAs });
        joinAs = "";
      },
      refused: (reason, id) => {
        this.#onAnswer(id ?? null);
        this.starting = false;
        if (reason !== "stale") this.notice = reason;
      },
      status: (status, reason = "") => {
        this.status = status;
        this.reason = reason;
      },
    }, device === "big screen");
    for (const command of commands) this.#connection.send(withFace(command)); // queued until the connection is open
  }

  send = (command: GuestCommand): void => {
    this.notice = "";
    const id = this.#connection.send(withFace(command));
    if (MOVES.some((move) => move === command.do)) this.pending = id;
  };

  /** Make the live region say what lies on the table. */
  repeat = (): void => {
    const { scene, state } = this.player;
    if (scene?.view.round && state) this.announcer.repeat(scene, state, this.promptOf(scene));
  };

  close(): void {
    this.#connection.close();
    this.player.stop();
    this.#loadDeck("", 0);
    document.title = "Not a Hat";
    setIcon(false);
  }

  /** Load an own deck before one of its cards is shown. */
  #loadDeck(code: string, version: number): void {
    if (version === this.#deckVersion) return;
    this.#deckVersion = version;
    const loaded = loadChunk(import("../decks/fetchDeck.ts")).then(({ useDeck }) => useDeck(code, version));
    loaded.catch(() => (this.#deckVersion = -1)); // retried with the next state
  }

  #onAnswer(id: string | null): void {
    if (id === this.pending) this.pending = null;
  }

  #onScene(scene: Scene, state: State): void {
    const prompt = this.player.settled ? this.promptOf(scene) : null;
    this.announcer.announce(scene, state, prompt, this.voteAnswers.follow(scene));
    for (const event of scene.happened) this.#onEvent(event);
    soundsOf(scene, state.you).forEach(play);
    this.#speak(scene);
    this.#showTurn(state);
  }

  /** Speak thanks, denials and what a reveal shows, as players would. Claims are spoken with their event. */
  #speak({ beat, speech, thanks, sentence, stamped, giver, view }: Scene): void {
    if (beat === "still" && speech?.line === "denial") speakLine("denial", speech.gift, speech.seat);
    if (beat === "thanks" && speech) speak(words.say("say.thank_you"), locale(words.lang), thanks ?? speech.seat);
    if (stamped && sentence) speak(renderText(sentence, view), locale(words.lang), giver ?? 0);
  }

  #onEvent(event: Shown): void {
    if (event.event === "offered") speakLine("offer", event.claim, event.giver);
    if (event.event === "round_dealt") this.#introduce(introductions(this.#latest!));
    if (event.event === "emoted") this.#showBubble(event.seat, words.lookup("emote", event.emote, "emote.hello"));
    if (event.event !== "remarked") return;
    this.#showBubble(event.seat, words.remark(event.character, event.occasion, event.number));
  }

  /** Nudge the player for whom the table waits: by itself after a while, and when another player wants to. */
  #remind({ view, happened, you }: State): void {
    const began = !this.nudged;
    this.nudged = !!view.idle && you.includes(view.idle.for);
    const asked = happened.some((event) => event.event === "nudged" && you.includes(event.seat));
    if (!asked && !(this.nudged && began)) return;
    this.nudges += 1;
    vibrate([60, 80, 60]);
    play("nudge");
    this.announcer.aside = words.say("live.idle_you");
  }

  /** Tell a player who looks at another tab, if they want to be told, what is new for them. */
  #notify(state: State): void {
    const before = this.#before;
    this.#before = state;
    if (!document.hidden || !settings.notify) return;
    const chunk = loadChunk(import("./notifications.ts"));
    chunk.then(({ notify }) => notify(before, state)).catch(() => undefined);
  }

  /** Let computer players introduce themselves, one after the other, until the first gift is drawn. */
  #introduce([first, ...others]: ReturnType<typeof introductions>): void {
    if (!first || this.#latest?.round?.turn !== 0) return;
    this.#showBubble(first.seat, first.temper);
    this.announcer.aside = words.say("live.emoted", { name: first.name, emote: first.temper });
    setTimeout(() => this.#introduce(others), INTRODUCTION_MS);
  }

  #showBubble(seat: number, text: string): void {
    if (!text) return;
    this.bubbles = { ...this.bubbles, [seat]: text };
    setTimeout(() => {
      const others = Object.entries(this.bubbles).filter(([other]) => Number(other) !== seat);
      if (this.bubbles[seat] === text) this.bubbles = Object.fromEntries(others);
    }, BUBBLE_MS);
  }

  /** Vibrate and play a sound when the player's turn begins; show it in title and icon as long as it lasts. */
  #showTurn(state: State): void {
    const due = isDue(state);
    if (due && !this.#due) {
      vibrate();
      play("turn");
    }
    this.#due = due;
    const title = due ? words.say("title.your_turn") : !isRemote(state.view.code) ? null : state.view.code;
    document.title = title === null ? "Not a Hat" : `${title} · Not a Hat`;
    setIcon(due);
  }
}

function setIcon(due: boolean): void {
  const icon = document.querySelector('link[rel="icon"]');
  icon?.setAttribute("href", href(due ? "/icon-turn.svg" : "/icon.svg"));
}

/** Speak a line about a gift in the language of its name. */
function speakLine(line: "offer" | "denial", gift: string | null, seat: number): void {
  if (gift !== null) speak(words[line](gift), locale(words.langOf(gift)), seat);
}

/** Return what becomes known at the end of a round, or null if it does not arrive in time. */
function fetchEnd({ view }: State): Promise<RoundEnd | null> {
  if (!view.match?.story) return Promise.resolve(null); // a correction of the verdict would continue the round
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), REVEAL_TIMEOUT_MS));
  return Promise.race([fetchStory(view.code, view.match.number).then(endOf).catch(() => null), timeout]);
}
