// What a page and its pocket say to each other. Frames are those of docs/protocol.md.

export type ToPocket =
  | { to: "start"; python: string; game: string; pace: number }
  | { to: "line"; line: string; code: string }
  | { to: "frame"; line: string; frame: string }
  | { to: "hang_up"; line: string }
  | { to: "ask"; id: number; ask: Ask };

export type Ask =
  | { what: "open"; options: string; day: string }
  | { what: "summary"; code: string }
  | { what: "story"; code: string; round: number }
  | { what: "log"; code: string }
  | { what: "put_deck"; code: string; hat: string }
  | { what: "deck"; code: string; version: number }
  | { what: "lines"; asked: string };

export type FromPocket =
  | { from: "ready" }
  | { from: "broken"; why: string }
  | { from: "open"; line: string }
  | { from: "frame"; line: string; frame: string }
  | { from: "closed"; line: string; reason: string }
  | { from: "answer"; id: number; body: string };
