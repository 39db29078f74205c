import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { MockError, type MockErrorCode } from "../fake/contract/mock-error.js";
import { profileProblems } from "../fake/contract/profile-problems.js";
import { loadInputSchemas, loadProfileValidators } from "../fake/contract/schemas.js";
import type { Behaviour } from "../fake/service/behaviour.js";
import { checkFixture, type FixtureRules, type FixtureSource } from "../fake/service/seed.js";
import { asError, type LocatedProblem } from "../foundation/located-problem.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture, Problem, Profile } from "../generated/types.js";

/** @param from files, folders of files, and fixtures as objects; by default the shipped one */
export async function readFixtures(
  from: readonly (string | Fixture)[],
  behaviour: Behaviour,
): Promise<FixtureSource[]> {
  // A test checks it.
  if (from.length === 0)
    return [{ file: "the shipped fixtures/default.json", fixture: shippedFixture, problems: [] }];
  const rules = { schemas: await loadInputSchemas(), behaviour };
  return from.flatMap((place, index) => {
    if (typeof place === "string") return readPlace(place, rules);
    return checkFixture(place, rules, from.length === 1 ? undefined : `fixture ${index + 1}`);
  });
}

/** A file, or all files of a folder. */
function readPlace(place: string, rules: FixtureRules): FixtureSource[] {
  try {
    if (!statSync(place).isDirectory()) return [checkFixture(readJson(place), rules, place)];
    const files = listJson(place);
    if (files.length === 0) throw new Error("this folder contains no .json files");
    return files.flatMap((file) => readPlace(join(place, file), rules));
  } catch (error) {
    return [{ file: place, fixture: {}, problems: [unreadable(place, error)] }];
  }
}

function listJson(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort();
}

/** A profile, and where it came from. */
export interface ProfileSource {
  readonly file: string;
  readonly profile: Profile;
}

/** Profiles as files or objects. Throws everything that is wrong with any of them. */
export async function readProfiles(given: readonly (string | Profile)[]): Promise<ProfileSource[]> {
  if (given.length === 0) return [];
  const validators = await loadProfileValidators();
  const problems: LocatedProblem[] = [];
  const sources = given.map((one): ProfileSource => {
    const { file, value, problems: found } = readChecked(one, (json) => profileProblems(json, validators));
    problems.push(...found);
    // The type is generated from the schema.
    return { file, profile: value as Profile };
  });
  if (problems.length === 0) return sources;
  const message = "Invalid profile (node_modules/usergroup-mock/docs/profile.md has an example):";
  throw new MockError("invalid_profile", message, problems);
}

/** A value, or that of a JSON file. Throws everything that is wrong with it. */
export function readValid(
  given: unknown,
  problemsIn: (value: unknown) => readonly Problem[],
  code: MockErrorCode,
  message: string,
): unknown {
  const { value, problems } = readChecked(given, problemsIn);
  if (problems.length > 0) throw new MockError(code, message, problems);
  return value;
}

function readChecked(given: unknown, problemsIn: (value: unknown) => readonly Problem[]) {
  const file = typeof given === "string" ? given : "the given profile";
  try {
    const value = typeof given === "string" ? readJson(given) : given;
    const problems = problemsIn(value).map(({ path, message }): LocatedProblem => ({ file, path, message }));
    return { file, value, problems };
  } catch (error) {
    return { file, value: undefined, problems: [unreadable(file, error)] };
  }
}

function unreadable(file: string, error: unknown): LocatedProblem {
  const { code, message } = asError(error);
  if (code === "ENOENT") return { file: resolve(file), path: "", message: "there is no such file or folder" };
  return { file, path: "", message: error instanceof SyntaxError ? `is not JSON: ${message}` : message };
}
