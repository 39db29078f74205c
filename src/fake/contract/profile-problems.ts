import type { ValidateFunction } from "ajv";
import { headerProblems } from "../../foundation/header-problems.js";
import { fieldOf, isObject, type JsonObject } from "../../foundation/json.js";
import { asError } from "../../foundation/located-problem.js";
import { hint } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Problem } from "../../generated/types.js";
import { operations } from "./operations.js";
import { placeholders, successOf, wholePlaceholder } from "./response-names.js";
import { findProblems } from "./schemas.js";

/** Everything that is wrong with a profile. */
export function profileProblems(profile: unknown, validate: ValidateFunction): Problem[] {
  const problems: Problem[] = findProblems(validate, profile).map(({ path, message }) => ({ path, message }));
  for (const [name, response] of responsesOf(profile)) {
    const headers = fieldOf(response, "headers");
    const body = fieldOf(response, "body");
    const found = [
      ...headerProblems(isObject(headers) ? headers : {}),
      ...redefinedFields(name, isObject(body) ? body : {}),
      ...misplacedPlaceholders(name, response),
    ];
    for (const { path, message } of found) problems.push({ path: `/responses/${name}${path}`, message });
  }
  return [...problems, ...wrongPatterns(fieldOf(profile, "accepts"), "/accepts")];
}

function responsesOf(profile: unknown): [name: string, response: unknown][] {
  const responses = fieldOf(profile, "responses");
  return isObject(responses) ? Object.entries(responses) : [];
}

/** The fields of the body of a success that the document shows in that response. */
function redefinedFields(name: string, body: JsonObject): Problem[] {
  const success = successOf(name);
  if (success === undefined) return [];
  const { user_group: _, ...shown } = shippedSchemas[operations[success.operation].response].properties;
  const ofGroup = Object.keys(shippedSchemas["user-group.json"].properties);
  const group = isObject(body.user_group) ? body.user_group : {};
  const fields = [
    ...Object.keys(shown).filter((field) => field in body),
    ...ofGroup.filter((field) => field in group).map((field) => `user_group/${field}`),
  ];
  const message = "is in the document; a profile can only add fields";
  return fields.map((field) => ({ path: `/body/${field}`, message }));
}

/** Placeholders of a group in a failure, which has no group, and of a mistake in a success. */
function misplacedPlaceholders(name: string, response: unknown): Problem[] {
  const isSuccess = successOf(name) !== undefined;
  const why = isSuccess
    ? "names what is wrong in a body, so only a failure can have it"
    : "belongs to a group, so only created, found and rotated can have it";
  return templateTexts(name, response, "").flatMap(({ path, text }) =>
    bracesIn(text)
      .filter((word) => (isSuccess ? placeholders[word]?.isOfMistake : placeholders[word]?.isOfGroup))
      .map((word) => ({ path, message: `{${word}} ${why}` })),
  );
}

/** Regular expressions that cannot be compiled, in the rules for bodies. */
function wrongPatterns(rule: unknown, path: string): Problem[] {
  if (!isObject(rule)) return [];
  const problems = Object.entries(rule).flatMap(([name, value]) => wrongPatterns(value, `${path}/${name}`));
  // A field of a body may have that name, too: its rule is an object.
  if (typeof rule.pattern !== "string") return problems;
  try {
    new RegExp(rule.pattern, "u");
    return problems;
  } catch (error) {
    return [...problems, { path: `${path}/pattern`, message: asError(error).message }];
  }
}

/** Words in braces that are sent as they are, and may have been meant as placeholders. */
export function unknownPlaceholders(profile: unknown): Problem[] {
  const names = Object.keys(placeholders);
  return responsesOf(profile).flatMap(([name, response]) =>
    templateTexts(name, response, `/responses/${name}`).flatMap(({ path, text, isName }) => {
      if (!isName && wholePlaceholder(text) !== undefined) return [];
      return bracesIn(text).flatMap((word) => {
        const known = placeholders[word];
        if (known !== undefined && !known.isObject) return [];
        const why =
          known === undefined
            ? `is not a placeholder${hint(word, names)}`
            : "is a placeholder only as a whole value";
        return { path, message: `{${word}} is sent as it is: it ${why}` };
      });
    }),
  );
}

/** A text that can have placeholders, and its place: a value, or the name of a field. */
interface TemplateText {
  readonly path: string;
  readonly text: string;
  readonly isName?: true;
}

/** @param name of the response: only in failures, placeholders in names of fields are filled in */
function templateTexts(name: string, response: unknown, path: string): TemplateText[] {
  const content = contentOf(response);
  const values = textsIn(content, path);
  return successOf(name) === undefined ? [...namesOfFields(content, path), ...values] : values;
}

function contentOf(response: unknown): JsonObject {
  const { body, text }: JsonObject = isObject(response) ? response : {};
  return { ...(body !== undefined && { body }), ...(text !== undefined && { text }) };
}

/** The words in braces. {8} is none: it is part of a regular expression. */
function bracesIn(text: string): string[] {
  return [...text.matchAll(/\{([a-z]\w*)\}/gi)].map(([, word = ""]) => word);
}

/** The texts in a value, with their places. */
function textsIn(value: unknown, path: string): TemplateText[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => textsIn(below, `${path}/${name}`));
}

/** The names of fields in a value, with their places. */
function namesOfFields(value: unknown, path: string): TemplateText[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const inner = namesOfFields(below, `${path}/${name}`);
    return isObject(value) ? [{ path: `${path}/${name}`, text: name, isName: true }, ...inner] : inner;
  });
}
