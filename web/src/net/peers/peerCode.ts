/** Return whether a table stands in the browser of one of its players. No server uses such codes. */
export const isPeer = (code: string): boolean => code.startsWith("PEER-");
