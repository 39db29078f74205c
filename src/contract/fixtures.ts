import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { nestsDeeper } from "../foundation/json.js";
import { asError, type LocatedProblem } from "../foundation/mock-error.js";
import { readJson } from "../foundation/read-json.js";
import type { Fixture } from "../generated/types.js";
import { maxDepth } from "./limits.js";
import type { Schemas } from "./schemas.js";

/** A fixture that fits the schema, and where it came from. */
export interface FixtureSource {
  readonly file: string;
  readonly fixture: Fixture;
}

/** The fixtures that are valid, and the problems of all sources, so that one run reports them all. */
export interface FixtureReading {
  readonly sources: readonly FixtureSource[];
  readonly problems: readonly LocatedProblem[];
}

/** @param from files, folders of files, and fixtures as objects; by default the shipped one */
export function readFixtures(from: readonly (string | Fixture)[], schemas: Schemas): FixtureReading {
  const readings = from.flatMap((place, index) => {
    if (typeof place === "string") return readPlace(place, schemas);
    return checkFixture(place, schemas, from.length === 1 ? theGiven : `fixture ${index + 1}`);
  });
  if (from.length === 0)
    readings.push(checkFixture(shippedFixture, schemas, "the shipped fixtures/default.json"));
  return {
    sources: readings.flatMap(({ sources }) => sources),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

const theGiven = "the given fixture";

/** A fixture that is no file. Text is refused like everything else that is no fixture, and never read as a path. */
export function checkFixture(value: unknown, schemas: Schemas, file = theGiven): FixtureReading {
  const { value: fixture, problems = [] } = schemas.parse("fixture.json", value);
  const found = problems.map(({ path, message }) => ({ file, path, message }));
  if (fixture === undefined) return { sources: [], problems: found };
  const deep = tooDeep(fixture).map((path) => ({
    file,
    path,
    message: `nests deeper than ${deepest} levels`,
  }));
  return { sources: [{ file, fixture }], problems: deep };
}

/** In a call, mapping and properties are one level down. */
const deepest = maxDepth - 1;

/** The places that nest deeper than any call can. A plain loop: there may be a million groups. */
function tooDeep({ user_groups = [] }: Fixture): string[] {
  const found: string[] = [];
  for (const [index, { mapping, properties }] of user_groups.entries()) {
    if (nestsDeeper(mapping, deepest)) found.push(`/user_groups/${index}/mapping`);
    if (nestsDeeper(properties, deepest)) found.push(`/user_groups/${index}/properties`);
  }
  return found;
}

/** A file, or all files of a folder. */
function readPlace(place: string, schemas: Schemas): FixtureReading[] {
  try {
    if (!statSync(place).isDirectory()) return [readFile(place, schemas)];
    const files = readdirSync(place).filter((file) => file.endsWith(".json"));
    if (files.length === 0) return [unreadable(place, "this folder holds no .json file")];
    return files.sort().map((file) => readFile(join(place, file), schemas));
  } catch (error) {
    return [unreadable(place, fileProblem(error))];
  }
}

function readFile(file: string, schemas: Schemas): FixtureReading {
  try {
    return checkFixture(readJson(file), schemas, file);
  } catch (error) {
    const notJson = asError(error).code === undefined ? "is not JSON: " : "";
    return unreadable(file, `${notJson}${fileProblem(error)}`);
  }
}

function unreadable(file: string, message: string): FixtureReading {
  return { sources: [], problems: [{ file, path: "", message }] };
}

function fileProblem(error: unknown): string {
  const { code, message } = asError(error);
  if (code === "ENOENT") return "there is no such file or folder";
  if (code === "EACCES") return "may not be read";
  // Node quotes the place of a syntax error, line ends and all.
  return message.replace(/\s+/g, " ");
}
