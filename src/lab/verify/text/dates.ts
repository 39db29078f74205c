/** A date with a time, in a text: in the form of ISO 8601, or of a header of HTTP. */
const dateTimes =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?|\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g;

const wholeDate = /^\d{4}-\d\d-\d\d$/;

/** Seconds, milliseconds or microseconds since 1970, of a time between 2017 and 2033. */
const sinceEpoch = /^1[5-9]\d{8}(\d{3}){0,2}(\.\d+)?$/;

/** Whether a value is a time as a whole. A sentence with a time in it is none. */
export function isTime(value: unknown): boolean {
  if (typeof value === "number") return sinceEpoch.test(String(value));
  if (typeof value !== "string") return false;
  if (wholeDate.test(value) || sinceEpoch.test(value)) return true;
  return value !== "" && value.replace(dateTimes, "") === "";
}

/**
 * Replaces the times of a run with its first one: each response has another time, and responses that differ in nothing
 * else become equal.
 */
export class FirstTime {
  /** The first time that is a whole value, by form: a client may parse it, so seconds must not become an ISO date. */
  readonly #wholeByForm = new Map<string, unknown>();
  /** The first time in a sentence. One is enough for all forms, because no client parses a sentence. */
  #inSentence: string | undefined;

  /** The value with the first time of the run in place of its own. A value without times stays as it is. */
  settle(value: unknown): unknown {
    if (isTime(value)) return this.#firstWhole(value);
    if (typeof value !== "string") return value;
    return value.replace(dateTimes, (time) => this.#firstInSentence(time));
  }

  #firstWhole(time: unknown): unknown {
    // The type, and the time with zeros for its digits: "string 0000-00-00".
    const form = `${typeof time} ${String(time).replace(/\d/g, "0")}`;
    if (!this.#wholeByForm.has(form)) this.#wholeByForm.set(form, time);
    return this.#wholeByForm.get(form);
  }

  #firstInSentence(time: string): string {
    this.#inSentence ??= time;
    return this.#inSentence;
  }
}
