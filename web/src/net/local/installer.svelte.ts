// Installs the game for offline play: what is available, what is installed, and the progress of the download.

import { isInstalled } from "../api.ts";
import { fetchManifest, install, isSupported, sizeOf, type Manifest } from "./manifest.ts";
import { ensureServiceWorker } from "../../app/serviceWorker.ts";

export interface NetworkInfo {
  saveData?: boolean;
  type?: string;
}

const MEGABYTE = 1_000_000;
const IDLE_TIME = 5000;
const UNMETERED = new Set(["wifi", "ethernet"]);

class OfflineInstall {
  installed = $state(false);
  progress = $state<number | null>(null); // 0 to 1 during a download; 1 during the first start
  failed = $state(false);
  #manifest = $state.raw<Manifest | null>(null);
  readonly available = $derived(this.#manifest !== null);
  readonly megabytes = $derived(this.#manifest ? sizeOf(this.#manifest) / MEGABYTE : 0);
  #running: Promise<void> | undefined;

  /** Find out what is available and installed. Update an installed game or app in the background. */
  async check(): Promise<void> {
    if (!isSupported()) return;
    this.installed = await isInstalled();
    this.#manifest = await fetchManifest();
    const standalone = matchMedia("(display-mode: standalone)").matches;
    addEventListener("appinstalled", () => void installInBackground(), { once: true });
    if ((this.installed || standalone) && this.#manifest) await installInBackground();
  }

  /** Install the game. Calls during a running installation wait for it. Failures are shown only if the user asked. */
  async install(asked = true): Promise<void> {
    this.#running ??= this.#install(asked).finally(() => (this.#running = undefined));
    await this.#running;
  }

  async #install(asked: boolean): Promise<void> {
    this.failed = false;
    try {
      this.#manifest ??= await fetchManifest();
      if (!this.#manifest) throw new Error("the server offers no download");
      await install(this.#manifest, (part) => (this.progress = part));
      await ensureServiceWorker();
      if (this.progress !== null) this.progress = 1;
      await (await import("./localBackend.ts")).prepare();
      this.installed = true;
    } catch (error) {
      console.warn(error);
      this.failed = asked;
    } finally {
      this.progress = null;
    }
  }
}

async function installInBackground(): Promise<void> {
  const { connection } = navigator as { connection?: NetworkInfo };
  if (!isUnmetered(connection, matchMedia("(pointer: coarse)").matches)) return;
  await networkIdle();
  await offlineInstall.install(false);
}

/** Return whether the network is free of charge as far as the browser knows. An unknown one of a handheld is not. */
export function isUnmetered(network: NetworkInfo | undefined, handheld: boolean): boolean {
  if (network?.saveData) return false;
  return handheld ? UNMETERED.has(network?.type ?? "") : network?.type !== "cellular";
}

/** Resolve once this page has fetched nothing for `IDLE_TIME`. */
export function networkIdle(): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(finish, IDLE_TIME);
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(finish, IDLE_TIME);
    });
    observer.observe({ type: "resource" });
  });
}

export const offlineInstall = new OfflineInstall();
