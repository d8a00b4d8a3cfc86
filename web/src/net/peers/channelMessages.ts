// Messages on a channel with a table's frames. Frames of docs/protocol.md pass unchanged; these come beside them.

import type { LocalRequest } from "../local/messages.ts";

/** A guest asks for what a server answers over HTTP. */
export interface Ask {
  ask: number;
  request: LocalRequest;
}
/** A part of an answer; the last one has no more. */
export interface Answer {
  answer: number;
  part: string;
  more: boolean;
}
/** The host closes the channel, with a code and a reason of docs/protocol.md. */
export interface Close {
  close: [code: number, reason: string];
}
/** The host has accepted the guest: frames may follow. */
export const ACCEPTED = '{"accepted":true}';

// the limits of src/notahat/live/frame_gate.py and server/limits/budget.py
export const MAX_FRAME = 8 * 1024;
export const MAX_UNSENT = 256 * 1024;

export const isAsk = (data: string): boolean => data.startsWith('{"ask":');
export const isAnswer = (data: string): boolean => data.startsWith('{"answer":');
export const isClose = (data: string): boolean => data.startsWith('{"close":');
