// What is asked for over a network that may be there and answer nothing.

const PATIENCE = 8000;

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
