import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { checkFixture, type FixtureReading } from "../contract/fixtures.js";
import { profileProblems } from "../contract/profile.js";
import type { Schemas } from "../contract/schemas.js";
import { asError, type LocatedProblem, MockError } from "../foundation/mock-error.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture, Profile } from "../generated/types.js";

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

/** A file, or all files of a folder. */
function readPlace(place: string, schemas: Schemas): FixtureReading[] {
  try {
    if (!statSync(place).isDirectory()) return [checkFixture(readJson(place), schemas, place)];
    const files = readdirSync(place).filter((file) => file.endsWith(".json"));
    if (files.length === 0) throw new Error("this folder contains no .json files");
    return files.sort().flatMap((file) => readPlace(join(place, file), schemas));
  } catch (error) {
    return [{ sources: [], problems: [unreadable(place, error)] }];
  }
}

/** What is known about the service. Throws everything that is wrong with the profile. */
export function readProfile(given: string | Profile | undefined, schemas: Schemas): Profile {
  const file = typeof given === "string" ? given : "the given profile";
  let problems: readonly LocatedProblem[];
  try {
    const profile = typeof given === "string" ? readJson(given) : (given ?? {});
    problems = profileProblems(profile, schemas).map((problem) => ({ file, ...problem }));
    // The type is generated from the schema.
    if (problems.length === 0) return profile as Profile;
  } catch (error) {
    problems = [unreadable(file, error)];
  }
  const example = "node_modules/usergroup-mock/docs/assumptions.md has an example";
  throw new MockError("invalid_profile", `Invalid profile (${example}):`, problems);
}

function unreadable(file: string, error: unknown): LocatedProblem {
  const { code, message } = asError(error);
  if (code === "ENOENT") return { file: resolve(file), path: "", message: "there is no such file or folder" };
  return { file, path: "", message: error instanceof SyntaxError ? `is not JSON: ${message}` : message };
}
