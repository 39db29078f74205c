/** A date with a time, in a text. */
const dateTimes =
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?|\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g;

const wholeDate = /^\d{4}-\d\d-\d\d$/;

/** Seconds, milliseconds or microseconds since 1970, of this time. */
const sinceEpoch = /^1[5-9]\d{8}(\d{3}){0,2}(\.\d+)?$/;

export function isTime(value: unknown): boolean {
  if (typeof value === "number") return sinceEpoch.test(String(value));
  if (typeof value !== "string") return false;
  if (wholeDate.test(value) || sinceEpoch.test(value)) return true;
  return value !== "" && value.replace(dateTimes, "") === "";
}

/** Makes the times of a run equal to its first one, because each response has another one. */
export class FirstTime {
  #text: string | undefined;
  readonly #values = new Map<string, unknown>();

  settle(value: unknown): unknown {
    if (isTime(value)) return this.#firstOf(value);
    if (typeof value !== "string") return value;
    return value.replace(dateTimes, (date) => {
      this.#text ??= date;
      return this.#text;
    });
  }

  /** The first time of the same form. */
  #firstOf(value: unknown): unknown {
    const form = `${typeof value} ${String(value).replace(/\d/g, "0")}`;
    if (!this.#values.has(form)) this.#values.set(form, value);
    return this.#values.get(form);
  }
}
