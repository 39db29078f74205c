import { setTimeout } from "node:timers/promises";
import { Finding } from "./finding.js";

/** No response takes so long, even on a busy machine. */
export const patienceMs = 15_000;

/** Long enough for most responses. A request may also be held until its case ends. */
const soonMs = 40;

/** No case takes so long, unless it hangs. */
const caseMs = 120_000;

/** Throws a finding if the work is not done in time. */
export function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  return orFinding(patienceMs, work, `${what} got no response within ${patienceMs} ms`);
}

/** Throws a finding if the case does not end. */
export function toItsEnd<T>(playing: Promise<T>): Promise<T> {
  return orFinding(caseMs, playing, `the case did not end in ${caseMs} ms`);
}

async function orFinding<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  const late = Symbol();
  const done = await orAfter(ms, work, late);
  if (done === late) throw new Finding("whole requests get a response", message);
  return done as T;
}

/** The result of the work, or undefined if it takes longer. */
export function soon<T>(work: Promise<T>): Promise<T | undefined> {
  return orAfter(soonMs, work, undefined);
}

async function orAfter<T, Other>(ms: number, work: Promise<T>, other: Other): Promise<T | Other> {
  const abort = new AbortController();
  const late = setTimeout(ms, other, { signal: abort.signal });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    abort.abort();
  }
}
