import { constants } from "node:os";
import { inspect } from "node:util";
import { printableLines } from "./printable.js";

/** Prints lines. They may have texts of a service or a client: characters that a terminal obeys are escaped, as in JSON. */
export function print(lines: string): void {
  process.stdout.write(`${printableLines(lines)}\n`);
}

/** Prints a line about what happened, beside the output of a command. */
export function note(message: string): void {
  process.stderr.write(`usergroup-mock: ${printableLines(message)}\n`);
}

export function warn(message: string): void {
  note(`warning: ${message}`);
}

/** Prints the message of a `MockError` or of the system. Any other error is a bug in the mock, so it prints the stack. */
export function printFailure(error: unknown): void {
  const isExpected = error instanceof Error && ("details" in error || "syscall" in error);
  note(isExpected ? error.message : inspect(error));
}

/** Keeps the server and the command running when the reader closes the pipe (`| head -1`). */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Lines with aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = rows[0]?.map((_, column) => widthOf(column)) ?? [];
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd((widths[i] ?? 0) + 2)).join("")}`.trimEnd());
}

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
