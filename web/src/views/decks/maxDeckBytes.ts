// How large a .hat file may be, here as on the server.

export const LARGEST = 2_000_000; // bytes
