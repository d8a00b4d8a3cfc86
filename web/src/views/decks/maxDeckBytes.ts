// The largest .hat file, the same as on the server.

export const MAX_DECK_BYTES = 2_000_000;
