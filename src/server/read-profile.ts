import { resolve } from "node:path";
import { profileProblems } from "../contract/profile.js";
import type { Schemas } from "../contract/schemas.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { readJson } from "../foundation/read-json.js";
import type { Profile } from "../generated/types.js";

/** What is known about the service. Throws everything that is wrong with the profile. */
export function readProfile(given: string | Profile | undefined, schemas: Schemas): Profile {
  const file = typeof given === "string" ? resolve(given) : "the given profile";
  const profile = typeof given === "string" ? readFile(file) : (given ?? {});
  const problems = profileProblems(profile, schemas);
  // The type is generated from the schema.
  if (problems.length === 0) return profile as Profile;
  throw invalidProfile(problems.map((problem) => ({ file, ...problem })));
}

function readFile(file: string): unknown {
  try {
    return readJson(file);
  } catch (error) {
    const { code, message } = asError(error);
    throw invalidProfile([
      { file, path: "", message: code === "ENOENT" ? "there is no such file" : message },
    ]);
  }
}

function invalidProfile(problems: readonly { file: string; path: string; message: string }[]): MockError {
  const example = "node_modules/usergroup-mock/docs/assumptions.md has an example";
  return new MockError("invalid_profile", `Invalid profile (${example}):`, problems);
}
