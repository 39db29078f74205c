import { constants } from "node:os";

/** Each of them asks a process to end. */
export const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** As a shell reports it. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Calls `stop` with the exit code when a signal asks the process to end. A second signal of the kind ends it at once. */
export function onInterrupt(stop: (exitCode: number) => void): void {
  for (const signal of endSignals) process.once(signal, () => stop(signalExitCode(signal)));
}
