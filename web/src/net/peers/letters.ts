// Joining a table by four letters. Everyone may know or guess them, so they only let a guest ask: guest and holder agree on a key, both
// screens show two gifts that follow from it, and a person compares them before the invitation is sent. The guest commits to its key before
// it sees the holder's, so nobody in between can choose keys until the gifts agree.

import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { linkedSignal } from "./linkedSignal.ts";
import type { MessageBoxes } from "./messageBoxes.ts";
import { deriveSealKey, seal, unseal } from "./seal.ts";

/** Two gifts, as keys of the catalogue. */
export type Gifts = [string, string];
export interface LetterRequest {
  name: string;
  gifts: Gifts;
}
interface Asked {
  commit: string; // to the guest's key and nonce
  reply: string; // the box for answers
}
interface Answered {
  key: string; // public, of the holder
  back: string; // the box for the guest's key
}
interface Revealed {
  key: string; // public, of the guest
  nonce: string;
  name: string; // sealed
}

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const FRESH_SECONDS = 20;
const ANSWER_TIMEOUT = 6000;
const DECIDE_TIMEOUT = 120_000;
const MOST_ASKED = 12; // at the same time; a stranger may begin and say no more
const MOST_NAME = 20;
const MOST_BODY = 4096; // characters
const HASH = /^[\w-]{43}$/;
const BOX = /^[0-9a-f]{32}$/;
const INVITATION = /^#PEER-[A-Z2-9]{6}\.[\w-]{43}$/;
const encoder = new TextEncoder();

const sha256 = async (text: string): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const commitment = async (key: string, nonce: string): Promise<string> => toBase64Url(await sha256(`notahat commit ${key} ${nonce}`));
const boxOf = async (letters: string): Promise<string> => toHex(await sha256(`notahat letters ${letters}`)).slice(0, 32);

async function newKey(): Promise<{ pair: CryptoKeyPair; key: string }> {
  const pair = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  return { pair, key: toBase64Url(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))) };
}

/** What guest and holder have in common: a key, and the gifts that people compare. */
class Agreement {
  readonly gifts: Gifts;
  readonly #key: CryptoKey;

  private constructor(gifts: Gifts, key: CryptoKey) {
    this.gifts = gifts;
    this.#key = key;
  }

  static async of(own: CryptoKeyPair, other: string, transcript: string): Promise<Agreement> {
    const publicKey = await crypto.subtle.importKey("raw", fromBase64Url(other), CURVE, false, []);
    const bits = await crypto.subtle.deriveBits({ name: "ECDH", public: publicKey }, own.privateKey, 256);
    const secret = await crypto.subtle.importKey("raw", bits, "HKDF", false, ["deriveKey"]);
    return new Agreement(await giftsOf(transcript), await deriveSealKey(secret, `notahat letters ${transcript}`));
  }

  seal(text: string): Promise<string> {
    return seal(this.#key, text);
  }
  unseal(sealed: string): Promise<string> {
    return unseal(this.#key, sealed);
  }
}

/** Return the two gifts of a transcript. Two of some 190 gifts: 15 bits, and there is one try for each request. */
async function giftsOf(transcript: string): Promise<Gifts> {
  const { default: kinds } = await import("../../made/kinds.json");
  const all = kinds.flatMap(({ gifts }) => gifts).sort();
  const number = new DataView((await sha256(`notahat gifts ${transcript}`)).buffer).getUint32(0);
  return [all[number % all.length]!, all[Math.floor(number / all.length) % all.length]!];
}

const newBox = (): string => crypto.randomUUID().replaceAll("-", "");
const put = (boxes: MessageBoxes, box: string, message: object): Promise<void> => boxes.put(box, toBase64Url(encoder.encode(JSON.stringify(message))));

/** Return whether a text is a public key in the one form that it has: otherwise there would be many texts for a key, and one of them could be
 *  chosen after the commitment. */
function isKey(text: unknown): text is string {
  return typeof text === "string" && /^[\w-]{87}$/.test(text) && toBase64Url(fromBase64Url(text)) === text;
}
const matches = (form: RegExp, text: unknown): text is string => typeof text === "string" && form.test(text);

/** Wait for the next message of a box that `wanted` accepts; null after the timeout. */
async function next<T extends object>(boxes: MessageBoxes, box: string, { signal, ms, wanted }: { signal: AbortSignal; ms: number; wanted: (message: Partial<T>) => boolean | Promise<boolean> }): Promise<T | null> {
  const linked = linkedSignal(signal, ms);
  try {
    for await (const { body } of boxes.take(box, linked.signal)) {
      const message = parse<T>(body);
      if (await wanted(message)) return message as T;
    }
    return null;
  } catch {
    return null; // aborted, or the service fails
  } finally {
    linked.end();
  }
}

function parse<T extends object>(body: string): Partial<T> {
  if (body.length > MOST_BODY) return {};
  try {
    return (JSON.parse(new TextDecoder().decode(fromBase64Url(body))) as T | null) ?? {};
  } catch {
    return {};
  }
}

/** Ask to come in. Call `compare` with the gifts that the holder's screen must show, too. Return the invitation, or why there is none. */
export async function askByLetters(boxes: MessageBoxes, { letters, name }: { letters: string; name: string }, signal: AbortSignal, compare: (gifts: Gifts) => void): Promise<{ invitation: string } | "nobody" | "refused"> {
  const [{ pair, key }, nonce, reply] = [await newKey(), newBox(), newBox()];
  const commit = await commitment(key, nonce);
  await put(boxes, await boxOf(letters), { commit, reply } satisfies Asked);
  const answered = await next<Answered>(boxes, reply, { signal, ms: ANSWER_TIMEOUT, wanted: ({ key: other, back }) => isKey(other) && matches(BOX, back) });
  if (!answered) return "nobody";
  const agreement = await Agreement.of(pair, answered.key, `${commit} ${answered.key} ${key}`);
  await put(boxes, answered.back, { key, nonce, name: await agreement.seal(name) } satisfies Revealed);
  compare(agreement.gifts);
  let invitation = "";
  const isDecision = async ({ decided }: { decided?: unknown }): Promise<boolean> => {
    const text = typeof decided === "string" ? await agreement.unseal(decided).catch(() => null) : null; // others know this box, too
    invitation = text ?? "";
    return text !== null;
  };
  if (!(await next<{ decided: string }>(boxes, reply, { signal, ms: DECIDE_TIMEOUT, wanted: isDecision }))) return "nobody";
  return INVITATION.test(invitation) && invitation.startsWith(`#PEER-${letters}`) ? { invitation } : "refused";
}

/** Answer guests who ask by the letters of a table while this device holds it. `decide` asks a person; null if nobody decides. */
export async function answerLetters(boxes: MessageBoxes, { letters, invitation }: { letters: string; invitation: string }, signal: AbortSignal, decide: (request: LetterRequest) => Promise<boolean | null>): Promise<void> {
  let asked = 0;
  for await (const { age, body } of boxes.take(await boxOf(letters), signal)) {
    const { commit, reply } = parse<Asked>(body);
    if (age > FRESH_SECONDS || !matches(HASH, commit) || !matches(BOX, reply) || asked >= MOST_ASKED) continue;
    asked++;
    void answer(boxes, { commit, reply }, invitation, { signal, decide }).catch(console.warn).finally(() => asked--);
  }
}

async function answer(boxes: MessageBoxes, { commit, reply }: Asked, invitation: string, how: { signal: AbortSignal; decide: (request: LetterRequest) => Promise<boolean | null> }): Promise<void> {
  const [{ pair, key }, back] = [await newKey(), newBox()];
  await put(boxes, reply, { key, back } satisfies Answered);
  const revealed = await next<Revealed>(boxes, back, { signal: how.signal, ms: ANSWER_TIMEOUT, wanted: ({ key: other, nonce, name }) => isKey(other) && matches(BOX, nonce) && typeof name === "string" });
  if (!revealed || (await commitment(revealed.key, revealed.nonce)) !== commit) return;
  const agreement = await Agreement.of(pair, revealed.key, `${commit} ${key} ${revealed.key}`);
  const admitted = await how.decide({ name: (await agreement.unseal(revealed.name)).replace(/\p{C}/gu, "").trim().slice(0, MOST_NAME), gifts: agreement.gifts });
  if (admitted !== null) await put(boxes, reply, { decided: await agreement.seal(admitted ? invitation : "") });
}
