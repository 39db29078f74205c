import { ensureBuilt } from "../src/build/ensure-built.mjs";

/** Builds when there is nothing built, or something from other sources: a test of it alone needs no other command. */
export function setup(): void {
  ensureBuilt();
}
