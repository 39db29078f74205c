import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import shippedFixture from "../../fixtures/default.json" with { type: "json" };
import { maxDepth, nestsDeeper, readJson } from "../foundation/json.js";
import { type LocatedProblem, thrown } from "../foundation/mock-error.js";
import type { Schemas } from "./schemas.js";
import type { Fixture } from "./types.js";

/** A fixture that fits the schema, and where it came from. */
export interface FixtureSource {
  readonly file: string;
  readonly fixture: Fixture;
}

/** What was found, with the problems of every source, so that one run tells them. */
export interface FixtureReading {
  readonly sources: readonly FixtureSource[];
  readonly problems: readonly LocatedProblem[];
}

/** @param from files, folders of files, and fixtures that are at hand already; none: the shipped one. */
export function readFixtures(from: readonly (string | Fixture)[], schemas: Schemas): FixtureReading {
  const sources: FixtureSource[] = [];
  const problems: LocatedProblem[] = [];
  const add = (file: string, value: unknown) => {
    const found = [...schemas.shipped("fixture.json", value), ...schemas.stricter("fixture.json", value)];
    for (const { path, message } of found) problems.push({ file, path, message });
    if (found.length > 0) return;
    // The schema has just said that it is one.
    const fixture = value as Fixture;
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

/** A call sends them one level down. */
const deepest = maxDepth - 1;

/** Where a group holds what no call could have sent. A plain loop: there may be a million groups. */
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
    problems.push({ file: place, path: "", message: reasonOf(error) });
    return [];
  }
}

function parseFile(file: string, problems: LocatedProblem[]): unknown {
  try {
    return readJson(file);
  } catch (error) {
    const notJson = thrown(error).code === undefined ? "is not JSON: " : "";
    problems.push({ file, path: "", message: `${notJson}${reasonOf(error)}` });
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = thrown(error);
  if (code === "ENOENT") return "there is no such file or folder";
  if (code === "EACCES") return "may not be read";
  // Node quotes the place of a syntax error, line ends and all.
  return message.replace(/\s+/g, " ");
}
