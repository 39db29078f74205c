import type { JsonObject } from "../../../foundation/json.js";
import { BudgetEnded, NotAsked } from "../service/not-asked.js";
import { checksNamesOnCreation, isFixed, needsNewGroup } from "./question.js";
import type { Seen, VerifyRun } from "./run.js";

export type TextField = "user_group_id" | "name";

/** A text whose length is found. */
interface Measured {
  readonly row: "user_group_id: long" | "name: long" | "mapping value: long";
  /** A length that the service accepts. 0: none is known. */
  readonly accepted: number;
  readonly body: (length: number) => JsonObject;
}

/** An id or a name of a new group. Each group of the run has one of the usual length. */
export function findLongestText(run: VerifyRun, field: TextField): Promise<Seen> {
  const body = (length: number) => {
    const usual = run.newBody();
    return { ...usual, [field]: `${String(usual[field])}${"x".repeat(length)}`.slice(0, length) };
  };
  return findLongest(run, { row: `${field}: long`, accepted: run.usualText(field).length, body });
}

/** A value in a mapping. The usual ones are so short that they would be a wrong limit. */
export async function findLongestValue(run: VerifyRun): Promise<Seen> {
  if (run.target.sample !== undefined)
    throw new NotAsked("nothing to ask", "with --sample, only its values are known");
  const body = (length: number) => {
    const others = isFixed(run, "mapping") || checksNamesOnCreation(run) ? run.newBody() : run.bodyOf("B");
    return { ...others, mapping: { ...Object(run.base.mapping), 40: "x".repeat(length) } };
  };
  return findLongest(run, { row: "mapping value: long", accepted: 0, body });
}

/** The longest text that is tried. */
const longest = 300;

/** Limits that services often have. */
const usualLimits = [
  16, 20, 24, 30, 32, 36, 40, 48, 50, 60, 64, 70, 80, 100, 120, 128, 150, 160, 190, 191, 200, 250, 255, 256,
];

/** The longest text that the service accepts: the number in its message first, then usual limits, then halving. */
async function findLongest(run: VerifyRun, { row, accepted: known, body }: Measured): Promise<Seen> {
  let accepted = known;
  let rejected = longest + 1;
  let rejection: Seen | undefined;
  const tryLength = async (length: number): Promise<Seen> => {
    const seen = await run.ask(() => run.get(body(length)));
    if (seen.outcome !== undefined) accepted = Math.max(length, accepted);
    else {
      rejected = Math.min(length, rejected);
      rejection = seen;
    }
    return seen;
  };
  const { over } = run.limitInFile(row);
  if (over !== undefined) {
    const seen = await tryLength(over + 1);
    if (seen.outcome === undefined) return { ...seen, limit: { over } };
  }
  const whole = await tryLength(longest);
  if (whole.outcome !== undefined) return whole;
  const named = numbersIn(whole, 4);
  try {
    while (rejected - accepted > 1) await tryLength(nextLength(accepted, rejected, named));
  } catch (error) {
    // What was accepted counts.
    if (!(error instanceof BudgetEnded) || accepted === 0) throw error;
  }
  return { ...(rejection ?? whole), limit: { over: accepted } };
}

/** @param named the numbers in the message of the service, which are tried first, each with the length beside it */
function nextLength(accepted: number, rejected: number, named: readonly number[]): number {
  const isBetween = (length: number) => length > accepted && length < rejected;
  const beside = named.flatMap((number) => [number, number + 1, number - 1]).find(isBetween);
  if (beside !== undefined) return beside;
  const usual = usualLimits.filter(isBetween);
  const middle = usual[Math.floor(usual.length / 2)];
  if (middle !== undefined) return middle;
  // A usual limit that was accepted is probably the limit.
  return usualLimits.includes(accepted) ? accepted + 1 : Math.floor((accepted + rejected) / 2);
}

/** How long the shortest name may be, of a group that exists if it can have another name. */
export async function findShortestName(run: VerifyRun): Promise<Seen> {
  const ofLength = (length: number) => {
    const others = () => (needsNewGroup(run) ? run.newBody() : run.bodyOf("D"));
    return run.ask(() => run.get({ ...others(), name: letters(length) }));
  };
  const first = await ofLength(1);
  if (first.outcome !== undefined) return first;
  const { under } = run.limitInFile("name: short");
  if (under !== undefined) return { ...first, limit: { under } };
  const named = numbersIn(first, 2).filter((number) => number > 1 && number <= 20);
  for (const length of [...named, 2, 3, 4, 5]) {
    const seen = await ofLength(length);
    if (seen.outcome === undefined) continue;
    const isShorterRejected = length === 2 || (await ofLength(length - 1)).outcome === undefined;
    if (isShorterRejected) return { ...first, limit: { under: length } };
  }
  throw new NotAsked("nothing to ask", "no short name was accepted");
}

/** Letters that no other run sends at the same time. */
export function letters(length: number): string {
  const alphabet = "bcdfghjkmnpqrtvwxyz";
  const random = () => alphabet[Math.floor(Math.random() * alphabet.length)] ?? "b";
  return Array.from({ length }, random).join("");
}

/** The numbers in the message of a rejection, those of the request aside. */
export function numbersIn({ sent, received }: Seen, most: number): number[] {
  const texts = Object.values(Object(sent.body)).filter((value) => typeof value === "string");
  const text = texts.reduce((before, one) => before.replaceAll(one, ""), received.text);
  const numbers = [...text.matchAll(/\b\d{1,3}\b/g)].map(([number]) => Number(number));
  return [...new Set(numbers)].filter((number) => number !== received.status).slice(0, most);
}
