// Taking the game along: what is offered, what this browser has, and how far it is with fetching.

import { inPocket } from "../connection.ts";
import { silence, unmetered, type Network } from "./networkPolicy.ts";
import { able, offered, sizeOf, take, type Parcel } from "./manifest.ts";
import { shellKept } from "../../app/serviceWorker.ts";

const A_MEGABYTE = 1_000_000;

class Along {
  has = $state(false);
  part = $state<number | null>(null); // how much of it is here, while it comes; 1 while it is started for the first time
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
    addEventListener("appinstalled", () => void unnoticed(), { once: true });
    if ((this.has || installed) && this.#parcel) await unnoticed();
  }

  /** Fetch it, once however often this is asked for; whether it is here then. Who has not asked need not know that it failed. */
  async take(asked = true): Promise<boolean> {
    this.#taking ??= this.#take(asked).finally(() => (this.#taking = undefined));
    await this.#taking;
    return this.has;
  }

  async #take(asked: boolean): Promise<void> {
    this.failed = false;
    try {
      this.#parcel ??= await offered();
      if (!this.#parcel) throw new Error("nothing is offered");
      await take(this.#parcel, (part) => (this.part = part));
      await shellKept();
      if (this.part !== null) this.part = 1;
      await (await import("./localBackend.ts")).prepare();
      this.has = true;
    } catch (error) {
      console.warn(error);
      this.failed = asked;
    } finally {
      this.part = null;
    }
  }
}

/** Fetch it when nobody notices: the network is quiet, and nobody pays for it by size. */
async function unnoticed(): Promise<void> {
  const { connection } = navigator as { connection?: Network };
  if (!unmetered(connection, matchMedia("(pointer: coarse)").matches)) return;
  await silence();
  await along.take(false);
}

export const along = new Along();
