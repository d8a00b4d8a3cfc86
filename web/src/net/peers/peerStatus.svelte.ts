// What a page shows about the devices of a table among friends.

import { SvelteMap } from "svelte/reactivity";

export interface PeerStatus {
  waits: boolean; // out of reach of most devices: nothing is acknowledged
  devices: { device: string; seats: number[]; successor: boolean }[]; // that could hold the table; only the holder knows them
  handOver(device: string): void;
}

export const peerStatus = new SvelteMap<string, PeerStatus>();
/** The answer that a person must carry to the holder, or why there is none. */
export type HandAnswer = { hash: string } | { failed: "damaged" | "unreachable" };
/** By table code. */
export const handAnswers = new SvelteMap<string, HandAnswer>();
