import type { Sent } from "../service/exchanges.js";
import { BudgetEnded, NotAsked } from "../service/not-asked.js";
import { needsNewGroup } from "./name-checks.js";
import type { Seen, VerifyRun } from "./run.js";

export type TextField = "user_group_id" | "name";

/** The longest text that is tried. */
const longest = 300;

/** Limits that services often have. */
const usualLimits = [
  16, 20, 24, 30, 32, 36, 40, 48, 50, 60, 64, 70, 80, 100, 120, 128, 150, 160, 190, 191, 200, 250, 255, 256,
];

/** The longest text that the service accepts: the number in its message first, then usual limits, then halving. */
export async function findLongest(run: VerifyRun, field: TextField): Promise<Seen> {
  const search = new LengthSearch(run, field);
  const known = run.isLight ? expectedLimit(run, field) : undefined;
  if (known !== undefined && !(await search.accepts(known + 1))) return search.result(known);
  if (await search.accepts(longest)) return search.result(longest);
  try {
    await search.tryNamed();
    await search.narrow();
  } catch (error) {
    // What was accepted counts.
    if (!(error instanceof BudgetEnded)) throw error;
  }
  return search.result(search.accepted);
}

function expectedLimit({ expected }: VerifyRun, field: TextField): number | undefined {
  const entry = expected?.[`${field}: long`];
  return typeof entry === "object" ? entry.over : undefined;
}

class LengthSearch {
  readonly #run: VerifyRun;
  readonly #field: TextField;
  /** The longest text that was accepted. Each group of the run has one. */
  accepted: number;
  /** The shortest one that was rejected. */
  #rejected = longest + 1;
  #lastAccepted: Seen | undefined;
  #lastRejected: Seen | undefined;

  constructor(run: VerifyRun, field: TextField) {
    this.#run = run;
    this.#field = field;
    this.accepted = run.usualText(field).length;
  }

  async accepts(length: number): Promise<boolean> {
    const seen = await this.#run.ask(() => this.#request(length));
    const isAccepted = seen.outcome !== undefined;
    if (isAccepted) {
      this.accepted = Math.max(length, this.accepted);
      this.#lastAccepted = seen;
    } else {
      this.#rejected = Math.min(length, this.#rejected);
      this.#lastRejected = seen;
    }
    return isAccepted;
  }

  #request(length: number): Sent {
    const body = this.#run.newBody();
    const text = `${String(body[this.#field])}${"x".repeat(length)}`.slice(0, length);
    return this.#run.get({ ...body, [this.#field]: text });
  }

  /** Tries the numbers in the message of the service, and the length beside each. */
  async tryNamed(): Promise<void> {
    for (const number of numbersIn(this.#lastRejected, 4)) {
      if (!this.#isBetween(number)) continue;
      const beside = (await this.accepts(number)) ? number + 1 : number - 1;
      if (this.#isBetween(beside)) await this.accepts(beside);
    }
  }

  async narrow(): Promise<void> {
    while (this.#rejected - this.accepted > 1) await this.accepts(this.#next());
  }

  #next(): number {
    const between = usualLimits.filter((limit) => this.#isBetween(limit));
    const middle = between[Math.floor(between.length / 2)];
    if (middle !== undefined) return middle;
    // A usual limit that was accepted is probably the limit.
    if (usualLimits.includes(this.accepted)) return this.accepted + 1;
    return Math.floor((this.accepted + this.#rejected) / 2);
  }

  #isBetween(length: number): boolean {
    return length > this.accepted && length < this.#rejected;
  }

  result(over: number): Seen {
    if (this.#lastRejected !== undefined)
      return { ...this.#lastRejected, outcome: undefined, limit: { over } };
    if (this.#lastAccepted !== undefined) return this.#lastAccepted;
    throw new NotAsked("no length was tried");
  }
}

/** How long the shortest name may be, of a group that exists if it can have another name. */
export async function findShortestName(run: VerifyRun): Promise<Seen> {
  const ofLength = (length: number) => {
    const others = () => (needsNewGroup(run) ? run.newBody() : run.bodyOf("D"));
    return run.ask(() => run.get({ ...others(), name: letters(length) }));
  };
  const first = await ofLength(1);
  if (first.outcome !== undefined) return first;
  const known = run.isLight ? run.expected?.["name: short"] : undefined;
  if (typeof known === "object" && known.under !== undefined)
    return { ...first, limit: { under: known.under } };
  const named = numbersIn(first, 2).filter((number) => number > 1 && number <= 20);
  for (const length of [...named, 2, 3, 4, 5]) {
    const seen = await ofLength(length);
    if (seen.outcome === undefined) continue;
    const isShorterRejected = length === 2 || (await ofLength(length - 1)).outcome === undefined;
    if (isShorterRejected) return { ...first, limit: { under: length } };
  }
  throw new NotAsked("no short name was accepted");
}

/** Letters that no other run sends at the same time. */
export function letters(length: number): string {
  const alphabet = "bcdfghjkmnpqrtvwxyz";
  const random = () => alphabet[Math.floor(Math.random() * alphabet.length)] ?? "b";
  return Array.from({ length }, random).join("");
}

/** The numbers in the message of a rejection, those of the request aside. */
export function numbersIn(seen: Seen | undefined, most: number): number[] {
  if (seen === undefined) return [];
  const sent = Object.values(Object(seen.sent.body)).filter((value) => typeof value === "string");
  const text = sent.reduce((before, one) => before.replaceAll(one, ""), seen.received.text);
  const numbers = [...text.matchAll(/\b\d{1,3}\b/g)].map(([number]) => Number(number));
  return [...new Set(numbers)].filter((number) => number !== seen.received.status).slice(0, most);
}
