import { BudgetEnded } from "../service/budget.js";
import type { ReceivedResponse } from "../service/received-response.js";

/** How long a text may be, or how many keys an object may have. */
export interface FoundLength {
  /** The longest one that was accepted. */
  readonly accepted: number;
  /** The shortest one that was rejected. Undefined if none was. */
  readonly rejected: number | undefined;
}

/** Sends something of a length. */
export type TryLength = (length: number) => Promise<ReceivedResponse>;

/** The longest text that is sent: verify sends no large bodies. */
const longest = 2_000;

/** Where limits usually are. */
const usualLimits = [
  ...[16, 20, 30, 32, 36, 40, 48, 50, 60, 64, 70, 80, 90, 96, 99, 100, 110, 120, 127, 128, 140],
  ...[150, 160, 180, 190, 191, 192, 200, 240, 250, 254, 255, 256, 300, 400, 500, 512, 1000, 1023, 1024],
];

/** How many numbers of a message are tried. */
const maxCandidates = 3;

/** @param accepted a length that the service has accepted */
export async function findLength(tryLength: TryLength, accepted: number): Promise<FoundLength> {
  const response = await tryLength(longest);
  if (response.isSuccess) return { accepted: longest, rejected: undefined };
  return findLimit(tryLength, { accepted, rejected: longest, message: response.text });
}

interface KnownLengths {
  readonly accepted: number;
  readonly rejected: number;
  /** In which words it was rejected. */
  readonly message: string;
}

/** Finds the limit between a length that was accepted and a longer one that was rejected, while the budget lasts. */
export async function findLimit(tryLength: TryLength, known: KnownLengths): Promise<FoundLength> {
  const search = new LengthSearch(tryLength, known);
  try {
    await search.tryNumbersOf(known.message);
    await search.tryUsualLimits();
    await search.halve();
  } catch (error) {
    if (!(error instanceof BudgetEnded)) throw error;
  }
  return search.found;
}

class LengthSearch {
  readonly #tryLength: TryLength;
  #accepted: number;
  #rejected: number;

  constructor(tryLength: TryLength, { accepted, rejected }: Pick<KnownLengths, "accepted" | "rejected">) {
    this.#tryLength = tryLength;
    this.#accepted = accepted;
    this.#rejected = rejected;
  }

  get found(): FoundLength {
    return { accepted: this.#accepted, rejected: this.#rejected };
  }

  /** One of the numbers in a message may be the limit. */
  async tryNumbersOf(message: string): Promise<void> {
    const numbers = numbersIn(message).filter((number) => this.#isOpen(number));
    for (const number of numbers.slice(0, maxCandidates)) await this.#tryBothSides(number);
  }

  /** Halves what is open, at usual limits only. */
  async tryUsualLimits(): Promise<void> {
    for (;;) {
      const open = usualLimits.filter((limit) => this.#isOpen(limit));
      const middle = open[Math.floor(open.length / 2)];
      if (middle === undefined) break;
      await this.#try(middle);
    }
    // The longest that was accepted is then probably the limit: the next length decides.
    if (usualLimits.includes(this.#accepted)) await this.#try(this.#accepted + 1);
  }

  async halve(): Promise<void> {
    while (this.#accepted + 1 < this.#rejected)
      await this.#try(Math.floor((this.#accepted + this.#rejected) / 2));
  }

  /** Whether nothing is known about a length. */
  #isOpen(length: number): boolean {
    return length > this.#accepted && length < this.#rejected;
  }

  async #tryBothSides(length: number): Promise<void> {
    const isAccepted = await this.#try(length);
    // It is either the longest length, or the first that is too long.
    await this.#try(isAccepted ? length + 1 : length - 1);
  }

  /** Whether a length is accepted. It is sent only if that is not known. */
  async #try(length: number): Promise<boolean> {
    if (!this.#isOpen(length)) return length <= this.#accepted;
    const { isSuccess } = await this.#tryLength(length);
    if (isSuccess) this.#accepted = length;
    else this.#rejected = length;
    return isSuccess;
  }
}

function numbersIn(text: string): number[] {
  const numbers = text.slice(0, 10_000).matchAll(/(?<![\w-])\d{1,4}(?!\w)/g);
  return [...new Set([...numbers].map(([digits]) => Number(digits)))];
}
