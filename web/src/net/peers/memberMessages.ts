// Carries the messages of a `TableMember` over the links of its device. Terms are signed with the table's key, and believed only then.

import type { DeviceLinks } from "./deviceLinks.ts";
import type { Link, LinkMessage } from "./link.ts";
import { peerTable, rememberTable } from "./peerTables.ts";
import type { Term } from "./succession.ts";
import { isProved, prove, termText } from "./tableKey.ts";
import type { MemberMessage, TableMember } from "./tableMember.ts";

export class MemberMessages {
  readonly #code: string;
  readonly #links: DeviceLinks;
  readonly #member: () => TableMember;
  #outbox: Promise<void> = Promise.resolve();

  constructor(code: string, links: DeviceLinks, member: () => TableMember) {
    this.#code = code;
    this.#links = links;
    this.#member = member;
  }

  /** Messages leave in the order in which they were made, though some wait for a signature. */
  send(to: string, message: MemberMessage): void {
    this.#queue(() => this.#sendNow(to, message));
  }

  /** Tell all devices who holds the table now, if this one has the key or knows the signature. */
  announce(term: Term): void {
    this.#queue(async () => {
      const key = peerTable(this.#code)?.key;
      const seal = term.seal ?? (key && (await prove(key, termText(this.#code, term))));
      if (!seal) return;
      this.#member().seal(term.generation, seal);
      for (const link of this.#links.all())
        link.send({ to: "member", message: { is: "established", term: { ...term, seal } } });
    });
  }

  /** Pass on what another device says. A device that does not vote only learns who holds the table. */
  async receive(link: Link, { message, key }: LinkMessage & { to: "member" }, votes: boolean): Promise<void> {
    const { term } = this.#member();
    if (message.is === "established") return this.learn(message.term);
    if (
      (message.is === "prepare" || message.is === "accept") &&
      message.base.generation > term.generation &&
      !(await this.#isSealed(message.base))
    )
      return;
    if (message.is === "copy" && key && link.guest === term.holder)
      rememberTable(this.#code, { ...peerTable(this.#code)!, key });
    if (votes ? link.votes : message.is === "alive") this.#member().receive(link.guest, message);
  }

  async learn(term: Term): Promise<void> {
    if (term.generation > this.#member().term.generation && (await this.#isSealed(term))) this.#member().learn(term);
  }

  #isSealed(term: Term): Promise<boolean> {
    return isProved(peerTable(this.#code)!.invitation, termText(this.#code, term), term.seal ?? "");
  }

  #queue(action: () => void | Promise<void>): void {
    this.#outbox = this.#outbox.then(action).catch(console.warn);
  }

  #sendNow(to: string, message: MemberMessage): void {
    const { term } = this.#member();
    const current =
      "base" in message && message.base.generation === term.generation ? { ...message, base: term } : message; // which has its seal now
    const key = message.is === "copy" ? peerTable(this.#code)!.key : undefined;
    for (const link of this.#links.all())
      if (link.guest === to && link.votes) link.send({ to: "member", message: current, ...(key ? { key } : {}) });
  }
}
