import { randomInt } from "node:crypto";
import { BudgetEnded } from "../service/budget.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import type { ReceivedResponse } from "../service/recorded.js";
import type { ServiceClient } from "../service/service-client.js";
import { type ObjectField, usualContents } from "./contents.js";
import { isNameTaken } from "./variations.js";

/** How long a text may be, or how many keys an object may have. */
export interface FoundLength {
  /** The longest one that was accepted. */
  readonly accepted: number;
  /** The shortest one that was rejected. Undefined if none was. */
  readonly rejected: number | undefined;
}

/** Sends something of a length. */
type TryLength = (length: number) => Promise<ReceivedResponse>;

/** The longest text that is sent: verify sends no large bodies. */
const longest = 2_000;

/** Where limits usually are. */
const usualLimits = [
  16, 20, 30, 32, 36, 40, 48, 50, 60, 64, 70, 80, 90, 96, 99, 100, 110, 120, 127, 128, 140,
];
const largerLimits = [
  150, 160, 180, 190, 191, 192, 200, 240, 250, 254, 255, 256, 300, 400, 500, 512, 1000, 1023, 1024,
];

/** How many numbers of a message are tried. */
const maxCandidates = 3;

/** @param accepted a length that the service has accepted */
async function findLength(tryLength: TryLength, accepted: number): Promise<FoundLength> {
  const first = await tryLength(longest);
  if (first.isSuccess) return { accepted: longest, rejected: undefined };
  return findLimit(tryLength, { accepted, rejected: longest, message: first.text });
}

/** @param known a length that the service has accepted, a longer one that it has rejected, and in which words */
async function findLimit(
  tryLength: TryLength,
  known: { readonly accepted: number; readonly rejected: number; readonly message: string },
): Promise<FoundLength> {
  const search = new LengthSearch(tryLength, known.accepted, known.rejected);
  try {
    for (const candidate of numbersIn(known.message)) await search.tryLimit(candidate);
    await search.halve([...usualLimits, ...largerLimits]);
  } catch (error) {
    // What was found so far is true, and the rest is not.
    if (!(error instanceof BudgetEnded)) throw error;
  }
  return search.found;
}

/** The numbers in a message: one of them may be the limit. */
function numbersIn(text: string): number[] {
  const numbers = [...text.slice(0, 10_000).matchAll(/(?<![\w-])\d{1,4}(?!\w)/g)].map(([digits]) =>
    Number(digits),
  );
  return [...new Set(numbers)].slice(0, maxCandidates);
}

class LengthSearch {
  found: FoundLength & { readonly rejected: number };
  readonly #tryLength: TryLength;

  constructor(tryLength: TryLength, accepted: number, rejected: number) {
    this.#tryLength = tryLength;
    this.found = { accepted, rejected };
  }

  /** Whether nothing is known about a length. */
  #isOpen(length: number): boolean {
    return length > this.found.accepted && length < this.found.rejected;
  }

  async #try(length: number): Promise<void> {
    if (!this.#isOpen(length)) return;
    const { isSuccess } = await this.#tryLength(length);
    this.found = isSuccess ? { ...this.found, accepted: length } : { ...this.found, rejected: length };
  }

  /** Both sides of a number: it may be the longest length, or the first that is too long. */
  async tryLimit(length: number): Promise<void> {
    if (!this.#isOpen(length)) return;
    await this.#try(length);
    await this.#try(this.found.accepted === length ? length + 1 : length - 1);
  }

  /** @param limits which are tried first */
  async halve(limits: readonly number[]): Promise<void> {
    const { accepted, rejected } = this.found;
    if (accepted + 1 === rejected) return;
    const open = limits.filter((limit) => this.#isOpen(limit));
    const middle = open[Math.floor(open.length / 2)];
    // The longest that was accepted is a usual limit: the next one decides.
    if (middle === undefined && limits.includes(accepted)) await this.#try(accepted + 1);
    else await this.#try(middle ?? Math.floor((accepted + rejected) / 2));
    await this.halve(middle === undefined ? [] : limits);
  }
}

function padded(text: string, length: number): string {
  return text.padEnd(length, "x");
}

/** Each attempt that succeeds creates a group. */
export function askIdLength(client: ServiceClient): Promise<FoundLength> {
  const usual = client.groups.newId().length;
  return findLength(
    (length) => client.create({ user_group_id: padded(`${client.groups.newId()}-`, length) }),
    usual,
  );
}

/** On a group that exists, so that no group is created, unless its name cannot be changed or is not checked. */
export async function askNameLength(client: ServiceClient): Promise<FoundLength> {
  const newName = (length: number) => padded(`${client.groups.newName()} `, length);
  const usual = client.groups.newName().length + 1;
  const rename: TryLength = (length) => client.lookUp({ name: newName(length) });
  const create: TryLength = (length) => client.create({ name: newName(length) });
  const control = await rename(usual);
  if (!control.isSuccess) return findLength(create, usual);
  const found = await findLength(rename, usual);
  return found.rejected === undefined ? findLength(create, usual) : found;
}

export async function askFilenameLength(client: ServiceClient): Promise<FoundLength> {
  const usual = "verify.mp4";
  const named = await client.rotateOwn({ filename: usual });
  need(named.isSuccess, `a rotation with a filename was rejected (status ${named.status})`);
  return findLength((length) => client.rotateOwn({ filename: padded("verify.mp4-", length) }), usual.length);
}

/** The longest minimum that is looked for. */
const longestMinimum = 8;

/** How short a name may be that is not empty. A name that another group has is not too short. */
export async function askShortestName(client: ServiceClient): Promise<number> {
  for (let length = 1; length <= longestMinimum; length++) {
    const response = await client.create({ name: randomWord(length) });
    if (response.isSuccess || isNameTaken(client, response)) return length;
  }
  throw new NotDeterminable(`names of up to ${longestMinimum} characters were rejected`);
}

/** A short name cannot have the prefix of the run, so it is random: names may have to be unique. */
function randomWord(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + randomInt(26))).join("");
}

/** The most keys that are sent. */
const mostKeys = 120;

export async function askKeyCount(client: ServiceClient, field: ObjectField): Promise<FoundLength> {
  const { value } = usualContents(client, field);
  const tryCount = (count: number) =>
    client.create({ [field]: Object.fromEntries(keysOf[field](count).map((key) => [key, value])) });
  const first = await tryCount(mostKeys);
  if (first.isSuccess) return { accepted: mostKeys, rejected: undefined };
  // Other keys may be rejected for what they are.
  need((await tryCount(2)).isSuccess, "two other keys were rejected as well");
  return findLimit(tryCount, { accepted: 2, rejected: mostKeys, message: first.text });
}

/** Schema ids are numbers in the document. */
const keysOf: Readonly<Record<ObjectField, (count: number) => string[]>> = {
  mapping: (count) => Array.from({ length: count }, (_, n) => String(41 + n)),
  properties: (count) => Array.from({ length: count }, (_, n) => `verify${n}`),
};

/** Whether a schema id may be a word. */
export async function askWordAsKey(client: ServiceClient): Promise<boolean> {
  const { key, value } = usualContents(client, "mapping");
  need(/^\d+$/.test(key), "the sample has other schema ids than numbers");
  if ((await client.create({ mapping: { verify: value } })).isSuccess) return true;
  need((await client.create({ mapping: { "41": value } })).isSuccess, "another number was rejected as well");
  return false;
}
