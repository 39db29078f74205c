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
  /** How many more runs there will be, how many at once, and how long each takes, about. */
  readonly expect: (more: number, atOnce: number, eachMs: number) => void;
  readonly begin: (name: string) => void;
  readonly done: (name: string, result: string, durationMs?: number) => void;
  /** Removes the bar. Call it before other output. */
  readonly clear: () => void;
}

/** How often a bar is drawn. */
const drawEveryMs = 250;

/** Shows what runs now, how far it is and how long it will take: a bar on a terminal, otherwise a line for each run. */
export function progress(runs: number): Progress {
  const { stderr } = process;
  const underWay = new Map<string, number>();
  let [total, done, atOnce, meanMs] = [runs, 0, 1, 0];
  let drawing: NodeJS.Timeout | undefined;
  const left = () => {
    const seconds = Math.ceil(((total - done) * meanMs) / atOnce / 1000);
    return total > 1 && done < total && meanMs > 0 ? `, about ${seconds} s left` : "";
  };
  const drawBar = (words: string) => {
    const filled = Math.round((done / total) * 30);
    const bar = `${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done}/${total} `;
    stderr.write(`\r\x1b[K${bar}${clip(words, bar.length + left().length)}${left()}`);
  };
  // A bar that wraps to a second line cannot be removed. A terminal of unknown width has 0 columns.
  const clip = (words: string, others: number) => {
    const room = Math.max((stderr.columns || 120) - 1 - others, 1);
    return words.length > room ? `${words.slice(0, room - 1)}…` : words;
  };
  const draw = () => {
    const secondsOf = (since: number) => Math.round((performance.now() - since) / 1000);
    drawBar([...underWay].map(([name, since]) => `${name} ${secondsOf(since)} s`).join(", "));
  };
  const clear = () => {
    clearInterval(drawing);
    drawing = undefined;
    if (stderr.isTTY) stderr.write("\r\x1b[K");
  };
  const begin = (name: string) => {
    underWay.set(name, performance.now());
    if (!stderr.isTTY) return;
    draw();
    drawing ??= setInterval(draw, drawEveryMs).unref();
  };
  return {
    expect(more, width, eachMs) {
      total = done + more;
      atOnce = width;
      meanMs = eachMs;
    },
    begin,
    done(name, result, durationMs) {
      underWay.delete(name);
      done++;
      if (durationMs !== undefined) meanMs = meanMs === 0 ? durationMs : meanMs * 0.8 + durationMs * 0.2;
      if (stderr.isTTY) {
        drawBar(`${name} ${result}`);
        return;
      }
      const took = durationMs === undefined ? "" : ` (${(durationMs / 1000).toFixed(1)} s${left()})`;
      stderr.write(`${done}/${total} ${name} ${result}${took}\n`);
    },
    clear,
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
