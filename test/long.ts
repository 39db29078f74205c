/** Set by `npm run test:long`. */
export const isLong = process.env.LONG === "1";

/** How often something random is drawn. */
export function draws(usually: number, inLongRun: number): number {
  return isLong ? inLongRun : usually;
}

/** All rows in a long run; otherwise the first of them, as a smoke test. */
export function smoke<T>(rows: readonly T[]): readonly T[] {
  return isLong ? rows : rows.slice(0, 1);
}
