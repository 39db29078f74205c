import { fieldOf, isObject, pointerTo } from "../../foundation/json.js";
import type { LocatedProblem } from "../../foundation/located-problem.js";
import type { Fixture, Problem } from "../../generated/types.js";
import type { Schemas } from "../contract/schemas.js";
import { firstSituation, kindOf } from "../contract/situations.js";
import type { Behaviour } from "./behaviour.js";

/** A fixture, and where it came from. It is empty if it has problems: one start reports those of all sources. */
export interface FixtureSource {
  readonly file: string;
  readonly fixture: Fixture;
  readonly problems: readonly LocatedProblem[];
}

/** What decides whether a fixture is valid. */
export interface FixtureRules {
  readonly schemas: Schemas<"fixture.json">;
  readonly behaviour: Behaviour;
}

/** Checks a fixture against the schemas. A string is rejected, and never read as a path. */
export function checkFixture(
  value: unknown,
  { schemas, behaviour }: FixtureRules,
  file = "the given fixture",
): FixtureSource {
  // The service may accept other names and mapping values than the schema.
  const ofSchema = schemas
    .shippedProblems("fixture.json", value)
    .filter(({ path }) => !/^\/user_groups\/\d+\/(?:name$|mapping\/)/.test(path));
  const groups = fieldOf(value, "user_groups");
  const ofGroups = (Array.isArray(groups) ? groups : []).flatMap((group, index) =>
    groupProblems(group, behaviour).map(({ path, message }) => ({
      path: `/user_groups/${index}${path}`,
      message,
    })),
  );
  const problems = [...ofSchema, ...ofGroups].map(({ path, message }) => ({ file, path, message }));
  // The type is generated from the schema.
  return { file, fixture: problems.length > 0 ? {} : (value as Fixture), problems };
}

/** The name of a group and its mapping values, where requests cannot have them either. */
export function groupProblems(group: unknown, behaviour: Behaviour): Problem[] {
  if (!isObject(group)) return [];
  const { name, mapping } = group;
  const isStored = typeof name === "string" || behaviour.storesName(kindOf(name));
  const ofName = isStored
    ? []
    : [{ path: "/name", message: name === undefined ? "is required" : "must be string" }];
  const ofMapping = Object.entries(isObject(mapping) ? mapping : {}).flatMap(([key, value]) => {
    const situation =
      typeof value === "string" ? undefined : firstSituation(`mapping value: ${kindOf(value)}`);
    if (situation === undefined || behaviour.outcome(situation) !== "rejected") return [];
    const unless =
      behaviour.source(situation) === "profile" ? "" : ", unless you assume mapping-values=accepted";
    return { path: `/mapping${pointerTo(key)}`, message: `must be string${unless}` };
  });
  return [...ofName, ...ofMapping];
}
