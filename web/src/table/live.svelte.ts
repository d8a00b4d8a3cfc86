// A table this browser is at: its line to the server, what is being played of it, and what is said aloud.

import { Socket, type Line } from "../net.ts";
import { buzz, play, speak } from "../sound.ts";
import type { GuestCommand, Shown, State } from "../wire.ts";
import { locale, words } from "../words/words.svelte.ts";
import { noted } from "./deadline.ts";
import { Player } from "./player.svelte.ts";
import type { Scene } from "./scenes.ts";
import { told } from "./told.ts";

const BUBBLE_STAYS = 3500;

export class Live {
  line = $state<Line>("finding");
  reason = $state(""); // why a table is gone
  notice = $state(""); // why the last thing was refused
  said = $state(""); // the live region
  bubbles = $state<Record<number, string>>({}); // what people say just now, by seat
  readonly player = new Player((scene, state) => this.#begun(scene, state));
  readonly #socket: Socket;
  #due = false;

  /** `plan` is what to do as soon as the table is reached. */
  constructor(code: string, plan: GuestCommand[]) {
    this.#socket = new Socket(code, {
      state: (state) => {
        noted(state.view.deadline);
        this.player.show(state);
      },
      refused: (reason) => {
        if (reason !== "stale") this.notice = reason;
      },
      line: (line, reason = "") => {
        this.line = line;
        this.reason = reason;
      },
    });
    for (const command of plan) this.#socket.send(command); // kept until the line is open
  }

  send = (command: GuestCommand): void => {
    this.notice = "";
    this.#socket.send(command);
  };

  close(): void {
    this.#socket.close();
    this.player.stop();
    document.title = "Not a Hat";
    icon(false);
  }

  #begun(scene: Scene, state: State): void {
    const said = scene.happened.map((event) => told(event, state.view, state.you)).filter(Boolean);
    if (said.length > 0) this.said = said.join(" ");
    for (const event of scene.happened) this.#heard(event);
    this.#turn(state);
  }

  #heard(event: Shown): void {
    switch (event.event) {
      case "drawn":
      case "accepted":
        play("slide");
        break;
      case "wrapped":
        play("flip");
        break;
      case "offered":
        play("slide");
        if (event.claim !== null) speak(words.offer(event.claim), locale(words.lang));
        break;
      case "refused":
        play("flip");
        if (event.claim !== null) speak(words.denial(event.claim), locale(words.lang));
        break;
      case "penalised":
        play("thud");
        break;
      case "emoted":
        this.#show(event.seat, words.saying("emote", event.emote, "emote.hello"));
        break;
      case "remarked":
        this.#show(event.seat, words.remark(event.character, event.occasion, event.number));
        break;
    }
  }

  #show(seat: number, said: string): void {
    if (!said) return;
    this.bubbles = { ...this.bubbles, [seat]: said };
    setTimeout(() => {
      if (this.bubbles[seat] === said) this.bubbles = Object.fromEntries(Object.entries(this.bubbles).filter(([other]) => Number(other) !== seat));
    }, BUBBLE_STAYS);
  }

  /** One short buzz when it is your turn; title and icon show it as long as it is. */
  #turn(state: State): void {
    const due = state.may.some(({ do: what }) => what === "draw" || what === "give" || what === "accept");
    if (due && !this.#due) buzz();
    this.#due = due;
    document.title = due ? `${words.say("title.your_turn")} · Not a Hat` : `${state.view.code} · Not a Hat`;
    icon(due);
  }
}

function icon(due: boolean): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute("href", due ? "/icon-turn.svg" : "/icon.svg");
}
