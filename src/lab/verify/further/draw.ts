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

  one<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  /** Whether an event happens that has one of so many chances. */
  isOneIn(chances: number): boolean {
    return this.below(chances) === 0;
  }
}
