import { MockError } from "../foundation/mock-error.js";

/** The number that a flag gives. */
export function countOf(flag: string, text: string, most: number): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
  throw new MockError("invalid_option", `${flag} must be a number from 1 to ${most}, not ${text}`);
}
