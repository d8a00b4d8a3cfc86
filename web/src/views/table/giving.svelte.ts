// The state of giving a gift: the receiver, the typed text, and a claim that can still be taken back.

import { on } from "svelte/events";
import { may } from "../../game/permissions.ts";
import { settings } from "../../app/settings.svelte.ts";
import type { GuestCommand, May, State } from "../../made/wire.ts";
import { timeLeft } from "../../game/deadline.ts";
import type { Sentence } from "../../game/sentences.ts";

const TAKE_BACK_MS = 2000;
const SPARE_MS = 1000; // a claim is sent this long before the deadline

export class Giving {
  may = $state.raw<May | null>(null); // the permission in use; null before the player begins
  receiver = $state<number | null>(null); // chosen among several
  typed = $state("");
  pendingClaim = $state<string | null>(null); // chosen, but not sent yet
  sent = $state(false); // sent, but not answered yet
  takeBackMs = $state(0); // how long the claim can be taken back
  readonly to = $derived(this.receiver ?? (this.may?.to?.length === 1 ? this.may.to[0]! : null));
  readonly waiting = $derived(this.pendingClaim !== null && !this.sent); // the claim can be taken back
  readonly picking = $derived(this.may !== null && this.to === null);
  readonly naming = $derived(this.may !== null && this.to !== null && this.pendingClaim === null && !this.sent);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `pending`: whether a command is unanswered. `canTakeBack`: whether a claim can be taken back. */
  constructor(
    private readonly table: () => State,
    private readonly send: (command: GuestCommand) => void,
    pending: () => boolean,
    private readonly canTakeBack = (): boolean => settings.takeBack,
  ) {
    $effect(() => {
      if (!this.due || (this.sent && !pending())) this.stop(); // other new states, such as a remark, do not interrupt
    });
    $effect(() => on(document, "visibilitychange", () => void (document.hidden && this.sendNow())));
    $effect(() => this.stop);
  }

  get due(): May | undefined {
    return may(this.table(), "give");
  }

  /** The sentence to show instead of the table's own. */
  get sentence(): Sentence | null {
    if (this.picking) return { say: "give.to_whom", names: {} };
    if (this.pendingClaim === null) return null;
    return { say: "give.about_to", names: { name: this.to! }, spoken: { line: "offer", gift: this.pendingClaim } };
  }

  begin(may: May, typed = ""): void {
    this.typed = typed;
    this.may = may;
  }

  /** Begin with a typed letter, if there is one receiver and claims are entered. Return whether it was used. */
  type(may: May | undefined, letter: string): boolean {
    if (may?.to?.length !== 1 || this.may || this.#spokenClaims || !/^\p{L}$/u.test(letter)) return false;
    this.begin(may, letter);
    return true;
  }

  pick = (seat: number): void => {
    this.receiver = seat;
    if (this.#spokenClaims) this.#give(null);
  };

  choose = (gift: string): void => {
    this.pendingClaim = gift;
    this.takeBackMs = this.canTakeBack() ? Math.min(TAKE_BACK_MS, timeLeft(this.table().view.deadline) - SPARE_MS) : 0;
    if (this.takeBackMs > 0) this.#timer = setTimeout(this.sendNow, this.takeBackMs);
    else this.sendNow();
  };

  sendNow = (): void => {
    if (this.waiting) this.#give(this.pendingClaim);
  };

  takeBack = (): void => {
    clearTimeout(this.#timer);
    this.pendingClaim = null;
  };

  stop = (): void => {
    this.takeBack();
    this.sent = false;
    this.may = null;
    this.receiver = null;
    this.typed = "";
  };

  get #spokenClaims(): boolean {
    return this.table().view.options.claims === "spoken";
  }

  #give(claim: string | null): void {
    const { seat, to: possible } = this.may!;
    const turn = this.table().view.round!.turn;
    this.send({ do: "give", turn, claim, to: possible!.length > 1 ? this.to! : undefined, seat });
    this.sent = true; // until the answer comes
  }
}
