import { setTimeout } from "node:timers/promises";
import { Finding } from "./finding.js";

/** No answer takes so long, on however busy a machine. */
export const patienceMs = 15_000;

/** Enough for most answers. A call may also be held on purpose, until its case ends. */
const soonMs = 40;

/** No case takes so long: it would wait for something that never comes, and the fuzzer with it. */
const caseMs = 120_000;

/** What is owed: a finding when it does not come. */
export function inTime<T>(work: Promise<T>, words: string): Promise<T> {
  return orFinding(patienceMs, work, `${words} was not, in ${patienceMs} ms`);
}

/** A case that is played: a finding when it does not end. */
export function toItsEnd<T>(playing: Promise<T>): Promise<T> {
  return orFinding(caseMs, playing, `the case did not end in ${caseMs} ms`);
}

async function orFinding<T>(ms: number, work: Promise<T>, words: string): Promise<T> {
  const late = Symbol();
  const done = await orAfter(ms, work, late);
  if (done === late) throw new Finding("whole calls are answered", words);
  return done as T;
}

/** What may take longer: undefined then. */
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
