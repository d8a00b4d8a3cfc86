// Plays the scenes one after the other. When the window was hidden it jumps to the present.

import type { State } from "../wire.ts";
import { CALM, haste, scenes, type Scene } from "./scenes.ts";

export class Player {
  scene = $state.raw<Scene | null>(null);
  state = $state.raw<State | null>(null); // the state that the scene belongs to
  settled = $state(true); // nothing moves: what lies on the table is the present
  #waiting: State[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hurry: (() => void) | undefined;
  #running = false;
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #begun: (scene: Scene, state: State) => void;

  constructor(begun: (scene: Scene, state: State) => void = () => undefined) {
    this.#begun = begun;
  }

  show(state: State): void {
    if (document.hidden || this.scene === null) {
      this.#jump(state);
      return;
    }
    this.#waiting.push(state);
    if (!this.#running) void this.#run();
    else if (this.scene?.ms === 0 || !this.scene?.reveal) this.#nudge();
  }

  /** Go on at once: somebody tapped. */
  skip(): void {
    this.#hurry?.();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#hurry = undefined;
  }

  #jump(state: State): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#hurry?.();
    this.state = state;
    this.scene = { view: state.view, ms: 0, happened: state.happened };
    this.settled = true;
    this.#begun(this.scene, state);
  }

  /** Whoever is far behind need not sit through what is over. */
  #nudge(): void {
    if (haste(this.#waiting.length) === 0) this.#hurry?.();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let state = this.#waiting.shift(); state; state = this.#waiting.shift()) await this.#play(state);
    this.#running = false;
    this.settled = true;
  }

  async #play(state: State): Promise<void> {
    const told = scenes(this.scene?.view ?? null, state);
    this.state = state;
    for (const scene of told) {
      const last = scene === told.at(-1);
      this.scene = scene;
      this.settled = last && this.#waiting.length === 0;
      this.#begun(scene, state);
      const ms = (this.#calm.matches && scene.flight ? CALM : scene.ms) * haste(this.#waiting.length);
      if (ms > 0 && !(last && this.#waiting.length === 0)) await this.#pause(ms);
      else if (last && scene.ms > 0) await this.#pauseUntilNext(scene.ms);
      if (this.state !== state) return; // jumped meanwhile
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(this.#timer);
        this.#hurry = undefined;
        resolve();
      };
      this.#hurry = done;
      this.#timer = setTimeout(done, ms);
    });
  }

  /** An open gift is looked at for its whole time, also when what follows is already known. */
  #pauseUntilNext(ms: number): Promise<void> {
    return this.#pause(ms * 0.9);
  }
}
