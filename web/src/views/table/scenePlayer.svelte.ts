// Plays the scenes one after the other. When the window was hidden, or somebody interrupts, it jumps to the present.

import type { Card, State } from "../../wire.ts";
import type { Scene } from "../../game/boardModel.ts";
import { haste, now, scenes } from "../../game/scenes.ts";

interface Told {
  begun?: (scene: Scene, state: State) => void;
  columns?: (state: State) => Promise<Card[][] | null>; // at the end of a round: what was in there all along
}

export class Player {
  scene = $state.raw<Scene | null>(null);
  state = $state.raw<State | null>(null); // the state that the scene belongs to
  passed = $state.raw<State[]>([]); // what came into sight with it: that state, and all that were jumped over
  settled = $state(true); // nothing moves: what lies on the table is the present
  #waiting: State[] = [];
  #queue: { scene: Scene; state: State }[] = [];
  #running = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #told: Told;

  constructor(told: Told = {}) {
    this.#told = told;
  }

  /** A round is over, and all that happened at its end was seen. */
  get over(): boolean {
    const stage = this.scene?.view.stage;
    return (stage === "over" || stage === "between") && this.settled;
  }

  show(state: State): void {
    this.#waiting.push(state);
    this.settled = false;
    if (document.hidden || this.scene === null || haste(this.#waiting.length) === 0) this.skip();
    else if (!this.#running) this.#next();
  }

  /** Go to the present at once: somebody tapped, or this screen was not looked at. */
  skip(): void {
    clearTimeout(this.#timer);
    const state = this.#waiting.at(-1) ?? this.state;
    if (state === null) return;
    const missed = [...this.#queue.map(({ scene }) => scene), ...this.#waiting];
    const passed = this.#waiting;
    this.#queue = [];
    this.#waiting = [];
    this.#running = false;
    this.#begin(now(state, missed.flatMap(({ happened }) => happened)), state, passed);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#waiting = [];
  }

  /** The next scene; else the next state; else it is the present. */
  #next(): void {
    const state = this.#waiting[0];
    if (this.#queue.length === 0 && state) {
      this.#running = true;
      this.settled = false;
      const asked = state.happened.some(({ event }) => event === "ended") && this.#told.columns?.(state);
      if (asked) void asked.then((columns) => this.#waiting[0] === state && this.#prepare(columns)); // else somebody jumped meanwhile
      else this.#prepare(null);
      return;
    }
    const next = this.#queue.shift();
    this.#running = next !== undefined;
    if (next) this.#begin(next.scene, next.state);
    else this.settled = true;
  }

  #prepare(columns: Card[][] | null): void {
    const state = this.#waiting.shift()!;
    const told = scenes(this.scene?.view ?? null, state, columns);
    this.#queue = told.filter((scene) => scene.beat === "present" || this.#length(scene) > 0).map((scene) => ({ scene, state }));
    this.#next();
  }

  /** Scene and state change at once: nobody sees one without the other. */
  #begin(scene: Scene, state: State, passed = [state]): void {
    const hurry = haste(this.#waiting.length);
    if (state !== this.state) this.passed = passed;
    this.state = state;
    this.scene = { ...scene, pace: scene.pace * hurry };
    this.settled = scene.beat === "present" && this.#waiting.length === 0;
    this.#told.begun?.(scene, state);
    const ms = this.#length(scene) * hurry;
    if (!this.#running) return;
    if (ms > 0) this.#timer = setTimeout(() => this.#next(), ms);
    else this.#next();
  }

  /** A gift that lies open is looked at nearly as long as the house leaves it open: it may wrap it a moment later. */
  #length(scene: Scene): number {
    return scene.beat === "present" ? scene.ms * 0.9 : this.#calm.matches ? scene.calm : scene.ms;
  }
}
