import { describe, it, type TestContext } from "vitest";

/** A long run: `LONG=1 npm test`. */
export const isLong = process.env.LONG === "1";

/** The number of random runs. */
export function draws(byDefault: number, inLongRun: number): number {
  return isLong ? inLongRun : byDefault;
}

/** All rows in a long run; otherwise the first one, as a smoke test. */
export function smoke<T>(rows: readonly T[]): readonly T[] {
  return isLong ? rows : rows.slice(0, 1);
}

/** `describe.concurrent` in a long run only. */
export function describeInLongRun(title: string, tests: () => void): void {
  if (isLong) describe.concurrent(title, tests);
}

/** `it` in a long run only. */
export function itInLongRun(title: string, test: (context: TestContext) => Promise<void>): void {
  if (isLong) it(title, test);
}
