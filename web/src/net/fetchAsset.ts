// What is asked for over a network that may lose it, or be there and answer nothing.

const PATIENCE = 8000;
const FIRST = 500;
const LONGEST = 4000;
const MARK = "notahat renewed";
const SELDOM = 600_000; // a page that is loaded anew and misses something again shall stand still and say so

/** An answer, which must begin soon and may then take its time: a deck with pictures is large. */
export async function answered(url: string, request: RequestInit = {}): Promise<Response> {
  const asked = new AbortController();
  const enough = setTimeout(() => asked.abort(), PATIENCE);
  try {
    return await fetch(url, { ...request, signal: asked.signal });
  } finally {
    clearTimeout(enough);
  }
}

/** A file of this build. Nothing goes without it, so it is asked for until it comes; each time that it does not, `missed` is told. */
export async function fetched<T>(url: string, missed?: () => void): Promise<T> {
  for (let wait = FIRST; ; wait = Math.min(wait * 2, LONGEST)) {
    const answer = await answered(url).catch(() => null);
    const file: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
    if (file !== null) return file as T;
    missed?.();
    if (answer?.status === 404 && wait === FIRST) await renewed();
    await new Promise((go) => setTimeout(go, wait));
  }
}

/** A part of the page that somebody wants to see and nothing can stand in for. */
export async function arrived<P extends Promise<unknown>>(part: P): Promise<Awaited<P>> {
  try {
    return await part;
  } catch (error) {
    await renewed();
    throw error;
  }
}

/** A release takes the files of an open tab away. Loaded anew it has others, and its address knows where we are; unless that was
    tried just now, or nobody answers, who would then see less than before. */
async function renewed(): Promise<void> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(MARK)) < SELDOM) return;
    const { ok } = await answered(import.meta.env.BASE_URL, { method: "HEAD", cache: "no-store" });
    if (!ok) return;
    sessionStorage.setItem(MARK, String(Date.now()));
  } catch {
    return;
  }
  location.reload();
  await new Promise(() => undefined); // the rest is seen there
}
