import { ensureBuilt } from "../src/build/ensure-built.mjs";

/** Builds dist/ if it is missing or out of date, so that single test files can be run. */
export function setup(): void {
  ensureBuilt();
}
