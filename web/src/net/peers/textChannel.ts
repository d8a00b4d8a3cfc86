// Texts of any length over a data channel: split into parts, not faster than the other side reads, and limited.

const PART = 8 * 1024; // characters; all browsers pass messages of 64 KiB
const LOW = 64 * 1024; // bytes that wait to be sent
const [MORE, LAST] = ["+", "."];

/** How much another device may do: an amount at once, then an amount per second. */
export class Budget {
  readonly #most: number;
  readonly #perSecond: number;
  #left: number;
  #at = Date.now();

  constructor(most: number, perSecond: number) {
    this.#most = this.#left = most;
    this.#perSecond = perSecond;
  }

  /** Return whether there was enough. Who takes too much has to wait for longer. */
  take(cost = 1): boolean {
    const now = Date.now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond) - cost;
    this.#at = now;
    return this.#left >= 0;
  }
}

export class TextChannel {
  ontext: (text: string) => void = () => undefined;
  onopen: () => void = () => undefined;
  onclosed: () => void = () => undefined;
  readonly #channel: RTCDataChannel;
  readonly #accepts: (characters: number) => boolean;
  readonly #unsent: string[] = [];
  #received = "";

  /** Use a data channel. `accepts` says whether one more part may come, by the length of its text so far; if not, the channel is closed. */
  constructor(channel: RTCDataChannel, accepts: (characters: number) => boolean) {
    this.#channel = channel;
    this.#accepts = accepts;
    channel.bufferedAmountLowThreshold = LOW;
    channel.onbufferedamountlow = () => this.#flush();
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    channel.onclose = () => this.onclosed();
    const open = (): void => {
      this.#flush();
      this.onopen();
    };
    channel.onopen = open;
    if (channel.readyState === "open") queueMicrotask(open);
  }

  get isOpen(): boolean {
    return this.#channel.readyState === "open";
  }

  /** Send a text, or keep it until the channel is open. */
  send(text: string): void {
    for (let at = 0; at === 0 || at < text.length; at += PART)
      this.#unsent.push((at + PART < text.length ? MORE : LAST) + text.slice(at, at + PART));
    this.#flush();
  }

  close(): void {
    this.#channel.close();
  }

  #flush(): void {
    while (this.isOpen && this.#unsent.length > 0 && this.#channel.bufferedAmount <= LOW)
      this.#channel.send(this.#unsent.shift()!);
  }

  #receive(data: unknown): void {
    if (typeof data !== "string" || data.length > PART + 1 || !this.#accepts(this.#received.length + data.length - 1)) {
      console.warn("a device sends too much");
      return this.close();
    }
    this.#received += data.slice(1);
    if (data.startsWith(MORE)) return;
    const text = this.#received;
    this.#received = "";
    this.ontext(text);
  }
}
