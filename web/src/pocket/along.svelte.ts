// Taking the game along: what is offered, what this browser has, and how far it is with fetching.

import { inPocket } from "../net.ts";
import { able, leaveBehind, offered, sizeOf, take, type Parcel } from "./parcel.ts";
import { shellKept } from "../shell.ts";

const A_MEGABYTE = 1_000_000;

interface Network {
  saveData?: boolean;
  type?: string;
}

class Along {
  has = $state(false);
  part = $state<number | null>(null); // how much of it is here, while it comes
  failed = $state(false);
  #parcel = $state.raw<Parcel | null>(null);
  #taking: Promise<void> | undefined;

  get offered(): boolean {
    return this.#parcel !== null;
  }
  get megabytes(): number {
    return this.#parcel ? sizeOf(this.#parcel) / A_MEGABYTE : 0;
  }

  /** Look what there is. Who has installed the app gets it by itself, and who took it along gets what is new. */
  async look(): Promise<void> {
    if (!able()) return;
    this.has = await inPocket();
    this.#parcel = await offered();
    const installed = matchMedia("(display-mode: standalone)").matches;
    if ((this.has || installed) && this.#parcel && unmetered()) await idle().then(() => this.take());
    addEventListener("appinstalled", () => unmetered() && void idle().then(() => this.take()), { once: true });
  }

  /** Fetch it, once however often this is asked for; whether it is here then. */
  async take(): Promise<boolean> {
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined));
    await this.#taking;
    return this.has;
  }

  async #take(): Promise<void> {
    this.failed = false;
    try {
      this.#parcel ??= await offered();
      if (!this.#parcel) throw new Error("nothing is offered");
      await take(this.#parcel, (part) => (this.part = part < 1 ? part : null));
      await shellKept();
      this.has = true;
    } catch (error) {
      console.warn(error);
      this.failed = true;
    } finally {
      this.part = null;
    }
  }

  async leave(): Promise<void> {
    await leaveBehind();
    this.has = false;
  }
}

function unmetered(): boolean {
  const { connection } = navigator as { connection?: Network };
  return !connection?.saveData && connection?.type !== "cellular";
}

function idle(): Promise<unknown> {
  return new Promise((resolve) => ("requestIdleCallback" in self ? requestIdleCallback(resolve, { timeout: 60_000 }) : setTimeout(resolve, 5000)));
}

export const along = new Along();
