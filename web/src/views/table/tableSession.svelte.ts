// A table this browser is at: its line to the server, what is being played of it, and what is said aloud.

import { arrived } from "../../net/fetchAsset.ts";
import { isHere, lineTo, story, type Line, type Reach } from "../../net/connection.ts";
import { to } from "../../app/router.svelte.ts";
import { buzz, play, speak } from "../../app/sound.ts";
import { isDue } from "../../game/permissions.ts";
import type { Card, GuestCommand, Shown, State, TableView } from "../../wire.ts";
import { locale, words } from "../../words/words.svelte.ts";
import { noted } from "../../game/deadline.ts";
import { noises } from "../../game/sceneSounds.ts";
import type { Scene } from "../../game/boardModel.ts";
import { Player } from "./scenePlayer.svelte.ts";
import { Said } from "./announcer.svelte.ts";
import type { Sentence } from "../../game/sentence.ts";

const BUBBLE_STAYS = 3500;
const MOVES = new Set<GuestCommand["do"]>(["draw", "give", "accept", "refuse", "judge", "resume"]);

export class Live {
  line = $state<Reach>("finding");
  reason = $state(""); // why a table is gone
  notice = $state(""); // why the last thing was refused
  readonly said = new Said();
  bubbles = $state<Record<number, string>>({}); // what people say just now, by seat
  asked = $state<string | null>(null); // a move that the table has not answered yet: until then nothing else is to be done
  readonly player = new Player({ begun: (scene, state) => this.#begun(scene, state), columns: opened });
  readonly #line: Line;
  readonly #asks: (scene: Scene) => Sentence | null;
  #latest: TableView | null = null; // that came in; scenes may be behind it
  #due = false;
  #version = 0; // of the deck that somebody made

  /** `plan` is what to do as soon as the table is reached. What several look at speaks to nobody in particular: everyone has a name. */
  constructor(code: string, plan: GuestCommand[], seen: "by one" | "around" | "on the wall" = "by one", asks = written) {
    this.#asks = asks;
    this.#line = lineTo(code, {
      state: (state) => {
        noted(state.view, this.#latest);
        this.#latest = state.view;
        this.#deck(state.view.code, state.view.deck?.version ?? 0);
        this.player.show(seen === "by one" ? state : { ...state, you: [] });
        this.#answered(state.ack ?? null);
      },
      refused: (reason, id) => {
        this.#answered(id ?? null);
        if (reason !== "stale") this.notice = reason;
      },
      line: (reach, reason = "") => {
        this.line = reach;
        this.reason = reason;
      },
    }, seen === "on the wall");
    for (const command of plan) this.#line.send(command); // kept until the line is open
  }

  send = (command: GuestCommand): void => {
    this.notice = "";
    const id = this.#line.send(command);
    if (MOVES.has(command.do)) this.asked = id ?? null;
  };

  /** Nothing moves, the table hears us and owes no answer: something may be done. */
  get settled(): boolean {
    return this.player.settled && this.line === "open" && this.asked === null;
  }

  close(): void {
    this.#line.close();
    this.player.stop();
    this.#deck("", 0);
    document.title = "Not a Hat";
    icon(false);
  }

  /** What is in a deck that somebody made is known before anything of it lies open. */
  #deck(code: string, version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    const known = arrived(import("../decks/fetchDeck.ts")).then(({ take }) => take(code, version));
    known.catch(() => (this.#version = -1)); // to be tried again with the next state
  }

  #answered(id: string | null): void {
    if (id === this.asked) this.asked = null;
  }

  #begun(scene: Scene, state: State): void {
    this.said.begun(scene, state, this.player.settled ? this.#asks(scene) : null);
    for (const event of scene.happened) this.#heard(event);
    noises(scene, state.you).forEach(play);
    const { speech } = scene;
    if (scene.beat === "still" && speech?.line === "denial") speak(words.denial(speech.gift), locale(words.langOf(speech.gift)), speech.seat);
    this.#turn(state);
  }

  #heard(event: Shown): void {
    if (event.event === "offered" && event.claim !== null) speak(words.offer(event.claim), locale(words.langOf(event.claim)), event.giver);
    if (event.event === "emoted") this.#show(event.seat, words.saying("emote", event.emote, "emote.hello"));
    if (event.event === "remarked") this.#show(event.seat, words.remark(event.character, event.occasion, event.number));
  }

  #show(seat: number, said: string): void {
    if (!said) return;
    this.bubbles = { ...this.bubbles, [seat]: said };
    setTimeout(() => {
      const others = Object.entries(this.bubbles).filter(([other]) => Number(other) !== seat);
      if (this.bubbles[seat] === said) this.bubbles = Object.fromEntries(others);
    }, BUBBLE_STAYS);
  }

  /** One short buzz when it is your turn; title and icon show it as long as it is. */
  #turn(state: State): void {
    const due = isDue(state);
    if (due && !this.#due) {
      buzz();
      play("turn");
    }
    this.#due = due;
    const what = due ? words.say("title.your_turn") : isHere(state.view.code) ? null : state.view.code;
    document.title = what === null ? "Not a Hat" : `${what} · Not a Hat`;
    icon(due);
  }
}

function icon(due: boolean): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute("href", to(due ? "/icon-turn.svg" : "/icon.svg"));
}

/** The sentence under the table. */
function written({ sentence }: Scene): Sentence | null {
  return sentence;
}

/** What was in the boxes all along: told when the round is over, and not waited for longer than the stamp takes. */
function opened({ view }: State): Promise<Card[][] | null> {
  if (!view.match?.story) return Promise.resolve(null); // a verdict that is corrected would let the round go on
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 1500));
  const asked = story(view.code, view.match.number).then(({ columns }) => columns, () => null);
  return Promise.race([asked, late]);
}
