import type { LocatedProblem } from "../foundation/coded-error.js";
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
