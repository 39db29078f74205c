import { headerProblems } from "../foundation/header-problems.js";
import { fieldOf, isObject, type JsonObject } from "../foundation/json.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { Problem } from "../generated/types.js";
import { assumptionProblems } from "./assumptions.js";
import { operations } from "./operations.js";
import { type SuccessName, successes } from "./response-names.js";
import type { Schemas } from "./schemas.js";

/** Everything that is wrong with a profile. */
export function profileProblems(profile: unknown, schemas: Schemas): Problem[] {
  const assume = Object(fieldOf(profile, "assume"));
  const responses: object = Object(fieldOf(profile, "responses"));
  return [
    ...schemas.shippedProblems("profile.json", profile).map(({ path, message }) => ({ path, message })),
    ...below("/assume", assumptionProblems(assume)),
    ...Object.entries(responses).flatMap(([name, response]) =>
      isObject(response) ? below(`/responses/${name}`, responseProblems(name, response)) : [],
    ),
  ];
}

/** What the schema cannot find. */
function responseProblems(name: string, response: JsonObject): Problem[] {
  const { headers, body, text } = response;
  return [
    ...headerProblems(Object(headers)),
    ...(body !== undefined && text !== undefined
      ? [{ path: "/text", message: "cannot be combined with body" }]
      : []),
    ...(isSuccess(name) && isObject(body) ? below("/body", documentedFields(name, body)) : []),
  ];
}

function isSuccess(name: string): name is SuccessName {
  return Object.hasOwn(successes, name);
}

/** The fields of a body that the document shows in that response. */
function documentedFields(name: SuccessName, body: JsonObject): Problem[] {
  const { user_group: _, ...shown } =
    shippedSchemas[operations[successes[name].operation].response].properties;
  const group = body.user_group ?? {};
  const message = "is in the document; a profile can only add fields";
  const redefined = (given: object, known: object) =>
    Object.keys(given)
      .filter((field) => Object.hasOwn(known, field))
      .map((field) => ({ path: `/${field}`, message }));
  return [
    ...redefined(body, shown),
    ...(isObject(group)
      ? below("/user_group", redefined(group, shippedSchemas["user-group.json"].properties))
      : [{ path: "/user_group", message: "must be an object of fields to add" }]),
  ];
}

function below(path: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: `${path}${problem.path}` }));
}
