import type { ValidateFunction } from "ajv";
import { fieldOf, isObject, type JsonObject, pointerTo } from "../../foundation/json.js";
import { hint, nearest } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Problem } from "../../generated/types.js";
import { operations } from "./operations.js";
import {
  characterWords,
  isTextPlaceholder,
  placeholders,
  wholePlaceholder,
  wrongCharacterWords,
} from "./profile.js";
import { headerProblems } from "./response-headers.js";
import { findProblems, type ProfileValidators } from "./schemas.js";
import {
  isSituation,
  isSuccess,
  knownShape,
  rowOf,
  type SituationId,
  situationIds,
  successes,
  wordsOf,
} from "./situations.js";

/** Everything that is wrong with a profile. */
export function profileProblems(profile: unknown, validators: ProfileValidators): Problem[] {
  const problems = plainProblems(validators.profile, profile, "");
  for (const [name, said] of situationsIn(profile)) {
    const at = `/situations${pointerTo(name)}`;
    // Only the first problems are shown, and a file can have thousands.
    const near = problems.length < 20 && !isSituation(name) ? nearName(name) : "";
    if (isSituation(name)) problems.push(...situationProblems(name, said, at, validators));
    else problems.push({ path: at, message: `is not a situation${near}` });
  }
  return problems;
}

function situationsIn(profile: unknown): [name: string, said: unknown][] {
  const situations = fieldOf(profile, "situations");
  return isObject(situations) ? Object.entries(situations) : [];
}

/** A list of all names would fill a screen. */
function nearName(name: string): string {
  const near = nearest(name, situationIds);
  const list = "node_modules/usergroup-mock/docs/assumptions.md lists them";
  return near === undefined ? `; ${list}` : `; did you mean ${near}?`;
}

function situationProblems(
  id: SituationId,
  said: unknown,
  at: string,
  validators: ProfileValidators,
): Problem[] {
  const words = wordsOf(id);
  if (!isObject(said))
    return words.some((word) => word === said) ? [] : [{ path: at, message: `must be ${whatCanBeSaid(id)}` }];
  const problems = plainProblems(validators[knownShape(id)], said, at);
  if (problems.length > 0) return problems;
  const found = [
    ...outcomeProblems(id, said),
    ...headerProblems(isObject(said.headers) ? said.headers : {}, "profile"),
    ...redefinedFields(id, isObject(said.body) ? said.body : {}),
    ...misplacedPlaceholders(id, said),
  ];
  return found.map(({ path, message }) => ({ path: at + path, message }));
}

function plainProblems(validate: ValidateFunction, value: unknown, at: string): Problem[] {
  return findProblems(validate, value).map(({ path, message }) => ({ path: at + path, message }));
}

/** `"rejected", "accepted" or a response (status, headers, body or text)` */
function whatCanBeSaid(id: SituationId): string {
  const { limit } = rowOf(id);
  const words = wordsOf(id).map((word) => JSON.stringify(word));
  const objects = {
    rejection: limit === undefined ? "a response (status, headers, body or text)" : `an object with ${limit}`,
    success: "an object with status, headers or body",
    word: "",
    common: "an object with headers",
  };
  const all = [...words, objects[knownShape(id)]].filter((one) => one !== "");
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} or ${all.at(-1)}` : all.join();
}

/** What is wrong with the word of an object, with its limit, and with what stands beside it. */
function outcomeProblems(id: SituationId, said: JsonObject): Problem[] {
  if (knownShape(id) === "success" || knownShape(id) === "common") return [];
  const { outcome = "rejected", because, over, under, characters, ...response } = said;
  const { limit } = rowOf(id);
  const words = limit === undefined ? wordsOf(id) : ["accepted", "rejected"];
  const isRejected = outcome === "rejected";
  const problems: Problem[] = [];
  if (!words.some((word) => word === outcome)) {
    const expected = words.map((word) => JSON.stringify(word)).join(" or ");
    problems.push({ path: "/outcome", message: `must be ${expected}` });
  }
  for (const [name, given] of Object.entries({ over, under, characters })) {
    if (name !== limit && given !== undefined)
      problems.push({ path: `/${name}`, message: `does not belong to this situation` });
  }
  if (limit !== undefined && isRejected && said[limit] === undefined)
    problems.push({ path: "", message: `must have ${limit}: what is accepted` });
  if (!isRejected && Object.keys(response).length > 0)
    problems.push({ path: "", message: `has a response, which only "rejected" can have` });
  for (const word of typeof characters === "string" ? wrongCharacterWords(characters) : []) {
    const expected = `expected a range such as a-z, a single character, ${characterWords.join(", ")}`;
    problems.push({ path: "/characters", message: `${JSON.stringify(word)} is not a word; ${expected}` });
  }
  return problems;
}

/** The fields of the body of a success that the document shows in that response. */
function redefinedFields(id: SituationId, body: JsonObject): Problem[] {
  if (!isSuccess(id)) return [];
  const { user_group: _, ...shown } = shippedSchemas[operations[successes[id]].response].properties;
  const ofGroup = Object.keys(shippedSchemas["user-group.json"].properties);
  const group = isObject(body.user_group) ? body.user_group : {};
  const fields = [
    ...Object.keys(shown).filter((field) => field in body),
    ...ofGroup.filter((field) => field in group).map((field) => `user_group/${field}`),
  ];
  const message = "is in the document; a profile can only add fields";
  return fields.map((field) => ({ path: `/body/${field}`, message }));
}

/** Placeholders of a group in a rejection, which has no group, and of a mistake in a success. */
function misplacedPlaceholders(id: SituationId, said: unknown): Problem[] {
  const why = isSuccess(id)
    ? "names what is wrong in a body, so only a rejection can have it"
    : "belongs to a group, so only created, found and rotated can have it";
  return templateTexts(id, said, "").flatMap(({ path, text }) =>
    bracesIn(text)
      .filter((word) => (isSuccess(id) ? placeholders[word]?.isOfMistake : placeholders[word]?.isOfGroup))
      .map((word) => ({ path, message: `{${word}} ${why}` })),
  );
}

/** Words in braces that are sent as they are, and may have been meant as placeholders. */
export function unknownPlaceholders(profile: unknown): Problem[] {
  const names = Object.keys(placeholders);
  return situationsIn(profile).flatMap(([name, said]) => {
    if (!isSituation(name)) return [];
    return templateTexts(name, said, `/situations${pointerTo(name)}`).flatMap(({ path, text, isName }) => {
      if (!isName && wholePlaceholder(text) !== undefined) return [];
      return bracesIn(text).flatMap((word) => {
        if (isTextPlaceholder(word)) return [];
        const why = Object.hasOwn(placeholders, word)
          ? "is a placeholder only as a whole value"
          : `is not a placeholder${hint(word, names)}`;
        return { path, message: `{${word}} is sent as it is: it ${why}` };
      });
    });
  });
}

/** A text that can have placeholders, and its place: a value, or the name of a field. */
interface TemplateText {
  readonly path: string;
  readonly text: string;
  readonly isName?: true;
}

/** Only in rejections, placeholders in names of fields are filled in. */
function templateTexts(id: SituationId, said: unknown, path: string): TemplateText[] {
  const { headers, body, text }: JsonObject = isObject(said) ? said : {};
  const values = textsIn({ headers, body, text }, path);
  return isSuccess(id) ? values : [...namesOfFields(body, `${path}/body`), ...values];
}

/** The words in braces. {8} is none. */
function bracesIn(text: string): string[] {
  return [...text.matchAll(/\{([a-z]\w*)(?:\|\[\])?\}/gi)].map(([, word = ""]) => word);
}

/** The texts in a value, with their places. */
function textsIn(value: unknown, path: string): TemplateText[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => textsIn(below, path + pointerTo(name)));
}

/** The names of fields in a value, with their places. */
function namesOfFields(value: unknown, path: string): TemplateText[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const at = path + pointerTo(name);
    const inner = namesOfFields(below, at);
    return isObject(value) ? [{ path: at, text: name, isName: true }, ...inner] : inner;
  });
}
