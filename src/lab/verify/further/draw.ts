import { createHash } from "node:crypto";

/** Numbers that look random, and are the same for the same seed. */
export class Draw {
  readonly #seed: string;
  #n = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** From 0 to below `end`. */
  below(end: number): number {
    const digest = createHash("sha256")
      .update(`${this.#seed} ${++this.#n}`)
      .digest();
    return digest.readUInt32BE(0) % end;
  }

  /** One of some values, of which there must be at least one. */
  one<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("There is nothing to draw from.");
    return value;
  }

  /** Whether an event happens that has one of so many chances. */
  isOneIn(chances: number): boolean {
    return this.below(chances) === 0;
  }
}
