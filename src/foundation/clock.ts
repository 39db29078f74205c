import { hrtime } from "node:process";
import timers from "node:timers";

// Read when the module is loaded, so that fake timers of a test do not stop the mock.
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;

/** Milliseconds since 1970. */
export const dateNow = Date.now;

const { bigint: nanoseconds } = hrtime;

/** Milliseconds of a clock that never goes back. `performance` would load one more module at every start. */
export function monotonicNow(): number {
  return Number(nanoseconds()) / 1e6;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
