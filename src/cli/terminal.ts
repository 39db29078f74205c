import { MockError } from "../foundation/mock-error.js";

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function warn(message: string): void {
  process.stderr.write(`usergroup-mock: warning: ${message}\n`);
}

/** Prints the message of an expected error. Any other error is a bug in the mock, so it prints the stack. */
export function printFailure(error: unknown): void {
  process.stderr.write(`usergroup-mock: ${isExpected(error) ? error.message : stackOf(error)}\n`);
}

function isExpected(error: unknown): error is Error {
  return error instanceof MockError || (error instanceof Error && "syscall" in error);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Keeps the server and the command running when the reader closes the pipe (`| head -1`). */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

export interface Progress {
  readonly show: (name: string, result: string) => void;
  /** Clears the bar. Call it before other output. */
  readonly end: () => void;
}

/** Shows the progress of `total` runs: a bar on a terminal, otherwise one line per run. */
export function progress(total: number): Progress {
  const { stderr } = process;
  let done = 0;
  return {
    show(name, result) {
      done++;
      if (!stderr.isTTY) {
        stderr.write(`${done}/${total} ${name} ${result}\n`);
        return;
      }
      const filled = Math.round((done / total) * 30);
      const bar = `${"█".repeat(filled)}${"░".repeat(30 - filled)}`;
      stderr.write(`\r\x1b[K${bar} ${done}/${total} ${name} ${result}`);
    },
    end() {
      if (stderr.isTTY) stderr.write("\r\x1b[K");
    },
  };
}

/** Lines with aligned columns. The last column may be of any length. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd((widths[i] ?? 0) + 2)));
    return `  ${cells.join("")}`;
  });
}
