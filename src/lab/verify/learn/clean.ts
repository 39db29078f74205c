import { example } from "../text/secrets.js";

/** Makes a text without what identifies the run or may be a secret. */
export type Clean = (text: string) => string;

/** A value of the same type that says nothing. */
export function asExample(value: unknown): unknown {
  if (typeof value === "string") return example;
  return typeof value === "number" ? 0 : value;
}
