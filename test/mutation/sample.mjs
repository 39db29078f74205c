import { createHash } from "node:crypto";
import { env } from "node:process";

/** @typedef {{ id: string, fileName: string, location: object, replacement: string }} Mutant */

/** The parts of which a sample has the same number of mutants each. */
const parts = [
  "src/fake/contract/",
  "src/fake/server/",
  "src/fake/service/",
  "src/fake/world/",
  "src/lab/explore/",
  "src/lab/verify/",
  "src/report/",
];

/** A checker of Stryker that passes only mutants that a seed draws. The others count as invalid, so not in the score. */
class Sample {
  /** @type {string[]} */
  static inject = [];
  size = Number(env.SAMPLE);
  seed = env.SEED ?? "1";
  /** @type {Set<string>} */
  drawn = new Set();

  async init() {}

  /** Stryker calls this once, with all mutants. @param {Mutant[]} mutants */
  async group(mutants) {
    for (const part of parts) {
      const ofPart = mutants.filter(({ fileName }) => fileName.includes(part));
      ofPart.sort((a, b) => this.draw(a).localeCompare(this.draw(b)));
      for (const { id } of ofPart.slice(0, this.size)) this.drawn.add(id);
    }
    return [mutants.map(({ id }) => id)];
  }

  /** @param {Mutant[]} mutants */
  async check(mutants) {
    /** @param {Mutant} mutant */
    const result = ({ id }) =>
      this.drawn.has(id) ? { status: "passed" } : { status: "compileError", reason: "not drawn" };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)]));
  }

  /** Depends on the mutant only: the same sources have the same sample. @param {Mutant} mutant */
  draw({ fileName, location, replacement }) {
    const file = fileName.slice(fileName.indexOf("src/"));
    return createHash("sha256")
      .update(JSON.stringify([this.seed, file, location, replacement]))
      .digest("hex");
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: Sample }];
