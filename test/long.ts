import { describe, it, type TestContext } from "vitest";

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

/** `describe.concurrent`, and nothing outside a long run. */
export function describeInLongRun(title: string, tests: () => void): void {
  if (isLong) describe.concurrent(title, tests);
}

/** `it`, and nothing outside a long run. */
export function itInLongRun(title: string, test: (context: TestContext) => Promise<void>): void {
  if (isLong) it(title, test);
}
