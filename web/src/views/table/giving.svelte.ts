// Giving a gift: to whom, what is being typed, and the moment in which a claim can still be taken back.

import { may } from "../../game/permissions.ts";
import { settings } from "../../app/settings.svelte.ts";
import type { GuestCommand, May, State } from "../../wire.ts";
import { left } from "../../game/deadline.ts";
import type { Sentence } from "../../game/sentence.ts";

const TAKE_BACK = 2000;
const SPARE = 1000; // a claim is on its way before the table's patience ends

export class Giving {
  may = $state.raw<May | null>(null); // the gift that is being given
  receiver = $state<number | null>(null); // picked, where there is a choice
  typed = $state("");
  said = $state<string | null>(null); // a claim that nobody has heard yet
  sent = $state(false); // it has left this screen, and the table has not answered yet
  takeable = $state(0); // how many milliseconds it can be taken back
  readonly to = $derived(this.receiver ?? (this.may?.to?.length === 1 ? this.may.to[0]! : null));
  readonly #table: () => State;
  readonly #send: (command: GuestCommand) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Made with the table it belongs to: `asked` is whether the table owes an answer. */
  constructor(table: () => State, send: (command: GuestCommand) => void, asked: () => boolean) {
    this.#table = table;
    this.#send = send;
    $effect(() => {
      if (!this.due || (this.sent && !asked())) this.stop(); // not for less: somebody's remark must not take the words out of your mouth
    });
    $effect(() => {
      const hidden = (): void => void (document.hidden && this.sayNow());
      document.addEventListener("visibilitychange", hidden);
      return () => {
        document.removeEventListener("visibilitychange", hidden);
        this.stop();
      };
    });
  }

  /** What is to be given, as `may` says. */
  get due(): May | undefined {
    return may(this.#table(), "give");
  }
  /** Said, and not yet on its way: it can be taken back. */
  get waiting(): boolean {
    return this.said !== null && !this.sent;
  }
  get picking(): boolean {
    return this.may !== null && this.to === null;
  }
  get naming(): boolean {
    return this.may !== null && this.to !== null && this.said === null && !this.sent;
  }

  /** What the table says meanwhile, where it is not what the table says anyway. */
  get sentence(): Sentence | null {
    if (this.picking) return { say: "give.to_whom", names: {} };
    if (this.said === null) return null;
    return { say: "give.about_to", names: { name: this.to! }, spoken: { line: "offer", gift: this.said } };
  }

  begin(may: May, typed = ""): void {
    this.typed = typed;
    this.may = may;
  }

  /** Whoever is to give may just begin to type, where there is nobody to choose and something to say. */
  type(may: May | undefined, letter: string): boolean {
    if (may?.to?.length !== 1 || this.may || this.#spoken || !/^\p{L}$/u.test(letter)) return false;
    this.begin(may, letter);
    return true;
  }

  pick = (seat: number): void => {
    this.receiver = seat;
    if (this.#spoken) this.#pass(null);
  };

  say = (gift: string): void => {
    this.said = gift;
    this.takeable = settings.takeBack ? Math.min(TAKE_BACK, left(this.#table().view.deadline) - SPARE) : 0;
    if (this.takeable > 0) this.#timer = setTimeout(this.sayNow, this.takeable);
    else this.sayNow();
  };

  sayNow = (): void => {
    if (this.waiting) this.#pass(this.said);
  };

  takeBack = (): void => {
    clearTimeout(this.#timer);
    this.said = null;
  };

  stop = (): void => {
    this.takeBack();
    this.sent = false;
    this.may = null;
    this.receiver = null;
    this.typed = "";
  };

  get #spoken(): boolean {
    return this.#table().view.options.claims === "spoken";
  }

  #pass(claim: string | null): void {
    const { seat, to: possible } = this.may!;
    const turn = this.#table().view.round!.turn;
    this.#send({ do: "give", turn, claim, ...(possible!.length > 1 ? { to: this.to! } : {}), ...(seat === undefined ? {} : { seat }) });
    this.sent = true; // and it is stopped by the table's answer
  }
}
