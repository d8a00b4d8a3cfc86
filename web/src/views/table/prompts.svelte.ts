// The prompts of one table that are hidden: answered, put off for a while, or expired.

import { MediaQuery } from "svelte/reactivity";
import { promptKey, secondsOf, type Prompt, type PromptSettings } from "../../game/regions.ts";
import { canNotify, isController, settings, updateSettings } from "../../app/settings.svelte.ts";
import type { TableView } from "../../made/wire.ts";

const phone = new MediaQuery("(max-width: 599px), (max-height: 499px)");

export class Prompts {
  hidden = $state.raw<readonly string[]>([]);
  probing = $state<number | null>(null); // the turn of the question that this player is answering
  vote = $state.raw<{ turn: number; up: boolean } | null>(null); // the last own one
  leftTab = $state(false); // at least once since the page was opened
  readonly #left: Record<string, number> = {}; // milliseconds until a prompt that was shown expires
  #shown: string | null = null; // only read when the table has changed: a prompt that leaves does not call itself back

  /** Return what `chooseRegions` needs to know. */
  settings({ code, screen, screens, seats }: TableView): PromptSettings {
    const controls = isController(code, screen);
    const people = seats.filter(({ kind }) => kind !== "bot").length;
    const asks = {
      votes: settings.thumbs,
      sound: !controls && !settings.asked && !settings.sound,
      notify: settings.notify === null && this.leftTab && canNotify() && people > 1,
      controller: !controls && phone.current && !!screens && settings.controller?.code !== code,
    };
    return { asks, hidden: this.hidden, shown: this.#shown, voted: this.vote?.turn ?? null };
  }

  /** Hide a prompt, for some time or for good. */
  hide(prompt: Prompt, ms?: number): void {
    const key = promptKey(prompt);
    this.hidden = [...this.hidden, key];
    if (ms !== undefined) setTimeout(() => (this.hidden = this.hidden.filter((one) => one !== key)), ms);
  }

  /** Let the prompt on screen expire. Return a function that stops its time until it is shown again. */
  show(prompt: Prompt): () => void {
    const seconds = secondsOf(prompt);
    if (seconds === undefined) return () => undefined;
    const key = promptKey(prompt);
    const left = this.#left[key] ?? seconds * 1000;
    const began = Date.now();
    const timer = setTimeout(() => this.#expire(prompt), left);
    this.#shown = key;
    return () => {
      this.#shown = null;
      clearTimeout(timer);
      this.#left[key] = left - (Date.now() - began);
    };
  }

  #expire(prompt: Prompt): void {
    this.hide(prompt);
    if (prompt.name === "sound") updateSettings({ asked: true }); // not with the next game: the menu has it
    if (prompt.name === "notify") updateSettings({ notify: false });
  }
}
