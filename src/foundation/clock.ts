import timers from "node:timers";

// Read when the module is loaded, so that fake timers of a test do not stop the mock.
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;

/** Milliseconds since 1970. */
export const dateNow = Date.now;

/** Milliseconds of a clock that never goes back. */
export const monotonicNow = performance.now.bind(performance);

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
