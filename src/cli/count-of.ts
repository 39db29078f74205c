import { refuseFlag } from "./refuse-flag.js";

/** The number that a flag gives. */
export function countOf(flag: string, text: string, most: number): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
  refuseFlag(`${flag} must be a number from 1 to ${most}, not ${text}`);
}
