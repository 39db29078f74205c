import { constants } from "node:os";

/** Calls `stop` with the exit code when a signal asks the process to end. A second signal of the kind ends it at once. */
export function onInterrupt(stop: (exitCode: number) => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => stop(128 + constants.signals[signal]));
  }
}
