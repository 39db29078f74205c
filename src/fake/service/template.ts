import { isObject } from "../../foundation/json.js";
import { isTextPlaceholder, type WholePlaceholder, wholePlaceholder } from "../contract/placeholders.js";

/** What a placeholder stands for. */
export type Given = (placeholder: string) => unknown;

/** A value of a profile, prepared at the start, that is filled in for each response. */
export interface Template {
  /** The placeholders in it, each as often as it is used. */
  readonly uses: readonly string[];
  readonly fill: (given: Given) => unknown;
}

/**
 * A JSON value with placeholders.
 * @param inKeys also in the names of fields. Not in a success, whose fields a profile cannot replace
 */
export function prepareValue(value: unknown, inKeys: boolean): Template {
  if (typeof value === "string") {
    const whole = wholePlaceholder(value);
    return whole === undefined ? prepareText(value) : prepareWhole(whole);
  }
  if (typeof value !== "object" || value === null) return { uses: [], fill: () => value };
  const members = Object.entries(value).map(([key, inner]) => ({
    key: inKeys && isObject(value) ? prepareText(key) : { uses: [], fill: () => key },
    value: prepareValue(inner, inKeys),
  }));
  const uses = members.flatMap((member) => [...member.key.uses, ...member.value.uses]);
  if (uses.length === 0) return { uses, fill: () => value };
  if (Array.isArray(value)) return { uses, fill: (given) => members.map((one) => one.value.fill(given)) };
  const fill: Template["fill"] = (given) =>
    Object.fromEntries(members.map((one) => [one.key.fill(given), one.value.fill(given)]));
  const hasPlainKeys =
    members.every(({ key }) => key.uses.length === 0) && !Object.hasOwn(value, "__proto__");
  return {
    uses,
    fill: hasPlainKeys
      ? fillValues(
          value,
          members.map((one) => one.value),
        )
      : fill,
  };
}

/** Most objects have fixed names of fields. This takes a quarter of the time. */
function fillValues(value: object, templates: readonly Template[]): Template["fill"] {
  const fields = Object.keys(value).map((key, index) => ({ key, fill: templates[index]?.fill }));
  return (given) => {
    const filled: Record<string, unknown> = {};
    for (const { key, fill } of fields) filled[key] = fill?.(given);
    return filled;
  };
}

/** A placeholder that is the whole value keeps its JSON type. */
function prepareWhole({ name, hasEmptyList }: WholePlaceholder): Template {
  return {
    uses: [name],
    fill: (given) => {
      const filled = given(name) ?? null;
      const isEmpty = isObject(filled) && Object.keys(filled).length === 0;
      return hasEmptyList && isEmpty ? [] : filled;
    },
  };
}

interface TextTemplate extends Template {
  readonly fill: (given: Given) => string;
}

/** A text with placeholders. A word in braces that is none stays as it is. */
export function prepareText(text: string): TextTemplate {
  // Texts and names of placeholders alternate.
  const parts = text.split(/\{(\w+)\}/);
  const uses = parts.filter((name, index) => index % 2 === 1 && isTextPlaceholder(name));
  if (uses.length === 0) return { uses, fill: () => text };
  return {
    uses,
    fill: (given) => {
      let filled = "";
      for (const [index, part] of parts.entries()) {
        const isName = index % 2 === 1;
        if (!isName) filled += part;
        else filled += isTextPlaceholder(part) ? placeholderText(given(part)) : `{${part}}`;
      }
      return filled;
    },
  };
}

/** What is filled into a text. */
export function placeholderText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How many characters placeholders add to a response. */
export function addedLength(uses: readonly string[], given: Given): number {
  const lengths = new Map<string, number>();
  let sum = 0;
  for (const name of uses) {
    const value = given(name);
    // A number has at most 25 characters. A large object is written only once.
    const length = typeof value === "number" ? 25 : (lengths.get(name) ?? placeholderText(value).length);
    if (uses.length > 1) lengths.set(name, length);
    sum += length;
  }
  return sum;
}
