import { beginRun, type Instructions, removeRun } from "../../src/run/begin-run.js";
import type { Run } from "../../src/run/run-folder.js";

/** What a command asks for that only runs another one. */
export const nothing: Instructions = {
  assume: {},
  tried: [],
  options: {},
  inject: [],
  learns: false,
  reports: false,
};

/** A run of a test, which is removed when the test ends. */
export function ownRun(asked: Partial<Instructions> = {}): Run & Disposable {
  const run = beginRun({ ...nothing, ...asked }, undefined);
  return { ...run, [Symbol.dispose]: () => removeRun(run) };
}
