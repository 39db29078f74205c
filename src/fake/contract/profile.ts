import { headerProblems } from "../../foundation/header-problems.js";
import { fieldOf, type JsonObject } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { KnownFailure, Problem, ProfileResponses } from "../../generated/types.js";
import { operations } from "./operations.js";
import { responseNames, successOf, widerName } from "./response-names.js";
import type { Schemas } from "./schemas.js";

/** A response of the profile, and whether it has placeholders: most have none. */
export type KnownResponse = KnownFailure & { readonly isTemplate?: boolean };

/** By name, with what they take from wider names. */
export type KnownResponses = ReadonlyMap<string, KnownResponse>;

/** Marks the templates, so that a server fills in only these. */
export function knownResponses(responses?: ProfileResponses): KnownResponses {
  const known = [...resolveResponses(responses)].map(([name, response]) => {
    return [name, { ...response, isTemplate: /\{\w+\}/.test(JSON.stringify(response)) }] as const;
  });
  return new Map(known);
}

/** The responses of a profile, by name, with what they take from wider names. */
export function resolveResponses(responses: ProfileResponses = {}): Map<string, KnownFailure> {
  const given = new Map<string, KnownFailure>(Object.entries(responses));
  const resolved = new Map<string, KnownFailure>();
  // A wider name comes before its narrower ones.
  for (const name of Object.keys(responseNames)) {
    const wide = resolved.get(widerName(name)) ?? {};
    const own = given.get(name) ?? {};
    const { body: _body, text: _text, ...others } = wide;
    const response = { ...("body" in own || "text" in own ? others : wide), ...own };
    if (Object.keys(response).length > 0) resolved.set(name, response);
  }
  return resolved;
}

/** Everything that is wrong with a profile. */
export function profileProblems(profile: unknown, schemas: Schemas): Problem[] {
  const problems: Problem[] = [...schemas.shippedProblems("profile.json", profile)];
  for (const [name, response] of Object.entries(Object(fieldOf(profile, "responses")))) {
    const wrongHeaders = headerProblems(Object(fieldOf(response, "headers")));
    const redefined = redefinedFields(name, Object(fieldOf(response, "body")));
    for (const { path, message } of [...wrongHeaders, ...redefined])
      problems.push({ path: `/responses/${name}${path}`, message });
  }
  return problems;
}

/** The fields of the body of a success that the document shows in that response. */
function redefinedFields(name: string, body: JsonObject): Problem[] {
  const success = successOf(name);
  if (success === undefined) return [];
  const { user_group: _, ...shown } = shippedSchemas[operations[success.operation].response].properties;
  const ofGroup = Object.keys(shippedSchemas["user-group.json"].properties);
  const fields = [
    ...Object.keys(shown).filter((field) => field in body),
    ...ofGroup.filter((field) => field in Object(body.user_group)).map((field) => `user_group/${field}`),
  ];
  const message = "is in the document; a profile can only add fields";
  return fields.map((field) => ({ path: `/body/${field}`, message }));
}
