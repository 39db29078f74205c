import { constants } from "node:os";

/** The signals that ask a process to end. */
export const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The exit code that a shell reports for a signal. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Calls `stop` with the exit code when a signal asks the process to end. The same signal again ends it at once. */
export function onInterrupt(stop: (exitCode: number) => void): void {
  for (const signal of endSignals) process.once(signal, () => stop(signalExitCode(signal)));
}
