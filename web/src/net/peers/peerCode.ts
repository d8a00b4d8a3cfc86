/** Return whether a table stands in the browser of one of its players. No server uses such codes. */
export const isPeer = (code: string): boolean => code.startsWith("PEER-");
/** Return a table's code as people see and type it: of a table in a browser, four letters. */
export const shownCode = (code: string): string => (isPeer(code) ? code.slice(5, 9) : code);
