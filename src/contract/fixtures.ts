import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { nestsDeeper } from "../foundation/json.js";
import { type LocatedProblem, thrown } from "../foundation/mock-error.js";
import { readJson } from "../foundation/read-json.js";
import { maxDepth } from "./limits.js";
import type { Schemas } from "./schemas.js";
import type { Fixture } from "./types.js";

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
  const sources: FixtureSource[] = [];
  const problems: LocatedProblem[] = [];
  const add = (file: string, value: unknown) => {
    const { value: fixture, problems: found = [] } = schemas.parse("fixture.json", value);
    for (const { path, message } of found) problems.push({ file, path, message });
    if (fixture === undefined) return;
    for (const path of tooDeep(fixture))
      problems.push({ file, path, message: `nests deeper than ${deepest} levels` });
    sources.push({ file, fixture });
  };
  if (from.length === 0) add("the shipped fixtures/default.json", shippedFixture);
  for (const [index, place] of from.entries()) {
    if (typeof place !== "string") {
      add(from.length === 1 ? "the given fixture" : `fixture ${index + 1}`, place);
      continue;
    }
    for (const file of filesAt(place, problems)) {
      const value = parseFile(file, problems);
      if (value !== undefined) add(file, value);
    }
  }
  return { sources, problems };
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

function filesAt(place: string, problems: LocatedProblem[]): string[] {
  try {
    if (!statSync(place).isDirectory()) return [place];
    const files = readdirSync(place).filter((file) => file.endsWith(".json"));
    if (files.length === 0)
      problems.push({ file: place, path: "", message: "this folder holds no .json file" });
    return files.sort().map((file) => join(place, file));
  } catch (error) {
    problems.push({ file: place, path: "", message: fileProblem(error) });
    return [];
  }
}

function parseFile(file: string, problems: LocatedProblem[]): unknown {
  try {
    return readJson(file);
  } catch (error) {
    const notJson = thrown(error).code === undefined ? "is not JSON: " : "";
    problems.push({ file, path: "", message: `${notJson}${fileProblem(error)}` });
    return undefined;
  }
}

function fileProblem(error: unknown): string {
  const { code, message } = thrown(error);
  if (code === "ENOENT") return "there is no such file or folder";
  if (code === "EACCES") return "may not be read";
  // Node quotes the place of a syntax error, line ends and all.
  return message.replace(/\s+/g, " ");
}
