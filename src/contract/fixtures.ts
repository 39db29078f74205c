import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { asError, type LocatedProblem } from "../foundation/mock-error.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture } from "../generated/types.js";
import type { Schemas } from "./schemas.js";

/** A fixture that matches the schema, and where it came from. */
export interface FixtureSource {
  readonly file: string;
  readonly fixture: Fixture;
}

/** The valid fixtures, and the problems of all sources, so that one start reports them all. */
export interface FixtureReading {
  readonly sources: readonly FixtureSource[];
  readonly problems: readonly LocatedProblem[];
}

/** @param from files, folders of files, and fixtures as objects; by default the shipped one */
export function readFixtures(from: readonly (string | Fixture)[], schemas: Schemas): FixtureReading {
  const readings =
    from.length === 0
      ? [checkFixture(shippedFixture, schemas, "the shipped fixtures/default.json")]
      : from.flatMap((place, index) => {
          if (typeof place === "string") return readPlace(place, schemas);
          return checkFixture(place, schemas, from.length === 1 ? undefined : `fixture ${index + 1}`);
        });
  return {
    sources: readings.flatMap(({ sources }) => sources),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

/** A fixture that is not in a file. A string is rejected, and never read as a path. */
export function checkFixture(value: unknown, schemas: Schemas, file = "the given fixture"): FixtureReading {
  // Mapping values are checked when the seed is built: an assumption may accept them.
  const shipped = schemas
    .shippedProblems("fixture.json", value)
    .filter(({ keyword, path }) => keyword !== "type" || !/^\/user_groups\/\d+\/mapping\//.test(path));
  const problems = [...shipped, ...schemas.overlayProblems("fixture.json", value)];
  return {
    // The type is generated from the schema.
    sources: problems.length > 0 ? [] : [{ file, fixture: value as Fixture }],
    problems: problems.map(({ path, message }) => ({ file, path, message })),
  };
}

/** A file, or all files of a folder. */
function readPlace(place: string, schemas: Schemas): FixtureReading[] {
  try {
    if (!statSync(place).isDirectory()) return [checkFixture(readJson(place), schemas, place)];
    const files = readdirSync(place).filter((file) => file.endsWith(".json"));
    if (files.length === 0) throw new Error("this folder contains no .json files");
    return files.sort().flatMap((file) => readPlace(join(place, file), schemas));
  } catch (error) {
    const { code, message } = asError(error);
    const reason = error instanceof SyntaxError ? `is not JSON: ${message}` : message;
    const missing = { file: resolve(place), message: "there is no such file or folder" };
    const problem = code === "ENOENT" ? missing : { file: place, message: reason };
    return [{ sources: [], problems: [{ ...problem, path: "" }] }];
  }
}
