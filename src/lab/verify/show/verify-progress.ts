import type { VerifyProgress } from "../verify-service.js";

/** In a pipe, a line is printed after this time. */
const intervalMs = 10_000;

/** Shows what is asked now: at once in a terminal, and one line in ten seconds elsewhere. */
export class StepProgress implements VerifyProgress {
  #steps = 0;
  #done = 0;
  #printed = performance.now();
  readonly #stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;

  constructor(stream = process.stderr) {
    this.#stream = stream;
  }

  readonly begin: VerifyProgress["begin"] = ({ prefix, steps }) => {
    this.#steps = steps;
    this.#stream.write(`The names and ids of this run begin with ${prefix}.\n`);
  };

  readonly step: VerifyProgress["step"] = (question) => {
    // Questions that met an internal error are asked again.
    this.#done = Math.min(this.#done + 1, this.#steps);
    const line = `${this.#done}/${this.#steps} ${question}`;
    if (this.#stream.isTTY) {
      this.clear();
      // A line that wraps cannot be removed. A terminal of unknown width has 0 columns.
      this.#stream.write(line.slice(0, (this.#stream.columns || 120) - 1));
    } else if (performance.now() - this.#printed >= intervalMs) {
      this.#printed = performance.now();
      this.#stream.write(`${line}\n`);
    }
  };

  /** Removes what is asked now from a terminal. Call it before other output. */
  clear(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\x1b[K");
  }
}
