// Plays the scenes one after the other. When the window was hidden, or somebody interrupts, it jumps to the present.

import type { Card, State, TableView } from "../wire.ts";
import type { Scene } from "./picture.ts";
import { haste, now, scenes } from "./scenes.ts";

interface Told {
  begun?: (scene: Scene, state: State) => void;
  columns?: (state: State) => Promise<Card[][] | null>; // at the end of a round: what was in there all along
}

export class Player {
  scene = $state.raw<Scene | null>(null);
  state = $state.raw<State | null>(null); // the state that the scene belongs to
  settled = $state(true); // nothing moves: what lies on the table is the present
  #waiting: State[] = [];
  #queue: Scene[] = [];
  #running = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #told: Told;

  constructor(told: Told = {}) {
    this.#told = told;
  }

  show(state: State): void {
    this.#waiting.push(state);
    if (document.hidden || this.scene === null || haste(this.#waiting.length) === 0) this.skip();
    else if (!this.#running) void this.#next();
  }

  /** Go to the present at once: somebody tapped, or this screen was not looked at. */
  skip(): void {
    clearTimeout(this.#timer);
    const state = this.#waiting.at(-1) ?? this.state;
    if (state === null) return;
    const happened = [...this.#queue, ...this.#waiting].flatMap((missed) => missed.happened);
    this.#queue = [];
    this.#waiting = [];
    this.#running = false;
    this.state = state;
    this.#begin(now(state, happened));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#waiting = [];
  }

  /** The next scene; else the next state; else it is the present. */
  async #next(): Promise<void> {
    if (this.#queue.length === 0 && this.#waiting.length > 0) await this.#prepare(this.#waiting[0]!);
    const scene = this.#queue.shift();
    this.#running = scene !== undefined;
    if (scene) this.#begin(scene);
    else this.settled = true;
  }

  async #prepare(state: State): Promise<void> {
    this.#running = true;
    const before: TableView | null = this.scene?.view ?? null;
    const ended = state.happened.some(({ event }) => event === "ended");
    const columns = ended ? ((await this.#told.columns?.(state)) ?? null) : null;
    if (this.#waiting[0] !== state) return; // jumped meanwhile
    this.#waiting.shift();
    this.state = state;
    this.#queue = scenes(before, state, columns).filter((scene) => scene.beat === "present" || this.#length(scene) > 0);
  }

  #begin(scene: Scene): void {
    const hurry = haste(this.#waiting.length);
    this.scene = { ...scene, pace: scene.pace * hurry };
    this.settled = scene.beat === "present" && this.#waiting.length === 0;
    this.#told.begun?.(scene, this.state!);
    const ms = this.#length(scene) * hurry;
    if (!this.#running) return;
    if (ms > 0) this.#timer = setTimeout(() => void this.#next(), ms);
    else void this.#next();
  }

  /** A gift that lies open is looked at nearly as long as the house leaves it open: it may wrap it a moment later. */
  #length(scene: Scene): number {
    return scene.beat === "present" ? scene.ms * 0.9 : this.#calm.matches ? scene.calm : scene.ms;
  }
}
