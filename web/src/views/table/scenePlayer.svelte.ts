// Plays scenes one after the other. It jumps to the present when the page is hidden or the player skips.

import type { State } from "../../made/wire.ts";
import { reducedMotion } from "../../ui/reducedMotion.ts";
import { UNWRAPPING, type Scene } from "../../game/boardModel.ts";
import { playbackRate, presentScene, scenes, type RoundEnd } from "../../game/scenes.ts";

interface PlayerOptions {
  onScene?: (scene: Scene, state: State) => void;
  fetchEnd?: (state: State) => Promise<RoundEnd | null>; // what becomes known at the end of a round
  holdReveals?: boolean; // a revealed gift stays until `goOn` is called
}

export class ScenePlayer {
  scene = $state.raw<Scene | null>(null);
  state = $state.raw<State | null>(null); // the state that the scene belongs to
  newStates = $state.raw<State[]>([]); // the states since the last one shown: this state and all that were skipped
  leastStamp = 0; // how long a revealed gift stays at least
  settled = $state(true); // nothing moves: the scene is the present
  /** The round is over and its last scene was shown. */
  readonly over = $derived(this.settled && ["over", "between"].includes(this.scene?.view.stage ?? ""));
  #waiting: State[] = [];
  #queue: { scene: Scene; state: State }[] = [];
  #running = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held: { state: State | null; until: number } = { state: null, until: 0 }; // what is shown of a turn can be read

  constructor(private readonly options: PlayerOptions = {}) {}

  show(state: State): void {
    this.#waiting.push(state);
    this.settled = false;
    if (document.hidden || this.scene === null || playbackRate(this.#waiting.length) === 0) this.skip();
    else if (!this.#running || (this.#isHeld && isSameTurn(this.state, state))) {
      clearTimeout(this.#timer);
      this.#next();
    }
  }

  get #isHeld(): boolean {
    return this.scene?.beat === "present" && this.#queue.length === 0 && this.#waiting.length === 1;
  }

  /** Show the present at once. */
  skip(): void {
    const state = this.#waiting.at(-1) ?? this.state;
    if (state === null) return;
    const missed = [...this.#queue.map(({ scene }) => scene), ...this.#waiting];
    const newStates = this.#waiting;
    this.stop();
    this.#running = false;
    this.#begin(presentScene(state, missed.flatMap(({ happened }) => happened)), state, newStates);
  }

  /** Go on: to the present, but from a held reveal and a round's last one scene by scene until all is unwrapped. */
  goOn(): void {
    const ends = this.#queue.length > 1 && this.#queue[0]!.state.happened.some(({ event }) => event === "ended");
    if (this.options.holdReveals && this.scene?.stamped) this.#next();
    else if (ends && !UNWRAPPING.has(this.scene?.beat ?? "")) {
      clearTimeout(this.#timer);
      this.#next();
    } else this.skip();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#waiting = [];
  }

  /** Begin the next scene; if there is none, the next state; else settle. */
  #next(): void {
    const state = this.#waiting[0];
    if (this.#queue.length === 0 && state) {
      this.#running = true;
      this.settled = false;
      const request = unwraps(this.state, state) && this.options.fetchEnd?.(state);
      if (request) void request.then((end) => this.#waiting[0] === state && this.#prepare(end)); // unless skipped
      else this.#prepare(null);
      return;
    }
    const next = this.#queue.shift();
    this.#running = next !== undefined;
    if (next) this.#begin(next.scene, next.state);
    else this.settled = true;
  }

  #prepare(end: RoundEnd | null): void {
    const state = this.#waiting.shift()!;
    const all = scenes(this.scene?.view ?? null, state, end);
    const shown = all.filter((scene) => scene.beat === "present" || this.#length(scene) > 0);
    this.#queue = shown.map((scene) => ({ scene, state }));
    this.#next();
  }

  /** Show a scene together with its state. */
  #begin(scene: Scene, state: State, newStates = [state]): void {
    const rate = playbackRate(this.#waiting.length);
    const until = Date.now() + this.#length(scene) * rate;
    const present = scene.beat === "present";
    if (!present || !isSameTurn(this.#held.state, state)) this.#held = { state: present ? state : null, until };
    if (state !== this.state) this.newStates = newStates;
    this.state = state;
    this.scene = { ...scene, ms: this.#length(scene) * rate, pace: scene.pace * rate };
    this.settled = present && this.#waiting.length === 0;
    this.options.onScene?.(scene, state);
    const ms = this.#held.until - Date.now();
    if (!this.#running || (scene.stamped && this.options.holdReveals)) return;
    if (ms > 0) this.#timer = setTimeout(() => this.#next(), ms);
    else this.#next();
  }

  #length(scene: Scene): number {
    const ms = reducedMotion.current ? scene.reducedMs : scene.ms;
    return scene.stamped ? Math.max(ms, this.leastStamp) : ms;
  }
}

/** Return whether a round ends, or the last verdict about it is kept (12.2): only then is known what was wrapped. */
function unwraps(before: State | null, { happened, view }: State): boolean {
  const kept = before?.view.stage === view.stage && !before.view.match?.story && view.match?.story;
  return kept || happened.some(({ event }) => event === "ended");
}

/** Return whether nobody has moved in between: something was said, or somebody came or left. */
function isSameTurn(before: State | null, { view }: State): boolean {
  return before?.view.round?.turn === view.round?.turn && before?.view.match?.number === view.match?.number;
}
