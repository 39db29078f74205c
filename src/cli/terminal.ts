import { MockError } from "../foundation/mock-error.js";

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function warn(message: string): void {
  process.stderr.write(`usergroup-mock: warning: ${message}\n`);
}

/** Tells a failure in the user's words: what is wrong and what to do; a stack only where it is a defect of ours. */
export function printFailure(error: unknown): void {
  process.stderr.write(`usergroup-mock: ${isExpected(error) ? error.message : stackOf(error)}\n`);
}

function isExpected(error: unknown): error is Error {
  return error instanceof MockError || (error instanceof Error && "syscall" in error);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A reader that goes away (`| head -1`) must end neither the server nor what runs beside it. */
export function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

export interface Progress {
  readonly show: (name: string, result: string) => void;
  /** Takes the bar away, so that something else can be printed. */
  readonly end: () => void;
}

/** Shows how far a number of runs has come: a bar on a terminal, a line a run elsewhere. */
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
