// Installs the game for offline play: what is available, what is installed, and the progress of the download.

import { isInstalled } from "../api.ts";
import { isUnmetered, networkIdle, type NetworkInfo } from "./networkPolicy.ts";
import { fetchManifest, install, isSupported, sizeOf, type Manifest } from "./manifest.ts";
import { ensureServiceWorker } from "../../app/serviceWorker.ts";

const MEGABYTE = 1_000_000;

class OfflineInstall {
  installed = $state(false);
  progress = $state<number | null>(null); // 0 to 1 during a download; 1 during the first start
  failed = $state(false);
  #manifest = $state.raw<Manifest | null>(null);
  #running: Promise<void> | undefined;

  get available(): boolean {
    return this.#manifest !== null;
  }
  get megabytes(): number {
    return this.#manifest ? sizeOf(this.#manifest) / MEGABYTE : 0;
  }

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

export const offlineInstall = new OfflineInstall();
