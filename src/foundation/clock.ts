import timers from "node:timers";

// Taken when the module is loaded: fake timers or a mocked clock of a test must not stop the mock.
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;

/** Milliseconds since 1970. */
export const dateNow = Date.now;

/** Milliseconds that only ever grow. */
export const monotonicNow = performance.now.bind(performance);

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lets everything else that is due run first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
