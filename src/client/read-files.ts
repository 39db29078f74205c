import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { MockError, type MockErrorCode } from "../fake/contract/mock-error.js";
import { overlaidSchemas } from "../fake/contract/operations.js";
import { profileProblems } from "../fake/contract/profile.js";
import { loadSchemas, type Schemas } from "../fake/contract/schemas.js";
import { checkFixture, type FixtureSource } from "../fake/service/seed.js";
import { asError, type LocatedProblem } from "../foundation/located-problem.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture, Problem, Profile } from "../generated/types.js";

/** The schemas, with the user's own in a folder. Throws everything that is wrong with these. */
export async function readSchemas(folder: string | undefined): Promise<Schemas> {
  if (folder === undefined) return loadSchemas();
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? listJson(folder) : [];
  if (files.length === 0) {
    const reason = isFolder ? "contains no .json files" : "is not a folder";
    const message = `--schemas ${folder} ${reason}. It must contain at least one of ${overlaidSchemas.join(", ")}.`;
    throw new MockError("invalid_schema", message);
  }
  const given: Record<string, unknown> = {};
  const problems: LocatedProblem[] = [];
  for (const file of files) {
    try {
      given[file] = readJson(join(folder, file));
    } catch (error) {
      problems.push(unreadable(join(folder, file), error));
    }
  }
  const { compileOverlay } = await import("../fake/contract/overlay.js");
  const overlay = compileOverlay(given);
  for (const { file, message } of overlay.problems)
    problems.push({ file: join(folder, file), path: "", message });
  if (problems.length === 0) return loadSchemas(overlay);
  throw new MockError("invalid_schema", "Invalid schemas. Fix them, or leave out --schemas:", problems);
}

/** @param from files, folders of files, and fixtures as objects; by default the shipped one */
export function readFixtures(from: readonly (string | Fixture)[], schemas: Schemas): FixtureSource[] {
  if (from.length === 0) return [checkFixture(shippedFixture, schemas, "the shipped fixtures/default.json")];
  return from.flatMap((place, index) => {
    if (typeof place === "string") return readPlace(place, schemas);
    return checkFixture(place, schemas, from.length === 1 ? undefined : `fixture ${index + 1}`);
  });
}

/** A file, or all files of a folder. */
function readPlace(place: string, schemas: Schemas): FixtureSource[] {
  try {
    if (!statSync(place).isDirectory()) return [checkFixture(readJson(place), schemas, place)];
    const files = listJson(place);
    if (files.length === 0) throw new Error("this folder contains no .json files");
    return files.flatMap((file) => readPlace(join(place, file), schemas));
  } catch (error) {
    return [{ file: place, fixture: {}, problems: [unreadable(place, error)] }];
  }
}

function listJson(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort();
}

/** What is known about the service. Throws everything that is wrong with the profile. */
export function readProfile(given: string | Profile = {}, schemas: Schemas): Profile {
  const message = "Invalid profile (node_modules/usergroup-mock/docs/assumptions.md has an example):";
  // The type is generated from the schema.
  return readValid(given, (json) => profileProblems(json, schemas), "invalid_profile", message) as Profile;
}

/** A value, or that of a JSON file. Throws everything that is wrong with it. */
export function readValid(
  given: unknown,
  problemsIn: (value: unknown) => readonly Problem[],
  code: MockErrorCode,
  message: string,
): unknown {
  const file = typeof given === "string" ? given : "the given profile";
  let problems: readonly LocatedProblem[];
  try {
    const value = typeof given === "string" ? readJson(given) : given;
    problems = problemsIn(value).map(({ path, message }) => ({ file, path, message }));
    if (problems.length === 0) return value;
  } catch (error) {
    problems = [unreadable(file, error)];
  }
  throw new MockError(code, message, problems);
}

function unreadable(file: string, error: unknown): LocatedProblem {
  const { code, message } = asError(error);
  if (code === "ENOENT") return { file: resolve(file), path: "", message: "there is no such file or folder" };
  return { file, path: "", message: error instanceof SyntaxError ? `is not JSON: ${message}` : message };
}
