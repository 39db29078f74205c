import { shownSchemas } from "../../contract/group-fields.js";
import { operations } from "../../contract/operations.js";
import { responseNames, type SuccessName, successes } from "../../contract/response-names.js";
import type { JsonObject } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { KnownFailure, KnownSuccess, ProfileResponses } from "../../generated/types.js";
import { Examples, mostFrequent, placeIn } from "./examples.js";
import { bareType, type Recorded } from "./recorded.js";
import type { ServiceClient } from "./service-client.js";

/** What the responses of a run show. */
export interface Learned {
  readonly responses: ProfileResponses;
  /** The names of the responses that were seen. */
  readonly observed: readonly string[];
  /** Whether the value at a path of a rejection differs between two responses to the same request. */
  readonly varies: (path: string) => boolean;
}

/** A rejection as the profile has it, and a text that is the same for rejections that differ only in what varies. */
interface LearnedRejection {
  readonly name: string;
  readonly response: KnownFailure;
  readonly key: string;
}

export function learnResponses(service: ServiceClient): Learned {
  const named = service.transcript.flatMap((entry) => {
    const name = responseName(entry);
    return name !== undefined && canHold(entry) ? [{ name, entry }] : [];
  });
  const examples = new Examples(service);
  const successful = Object.keys(successes) as SuccessName[];
  const learned = successful.flatMap((name) => {
    const entries = named.filter((one) => one.name === name).map(({ entry }) => entry);
    return entries.length === 0 ? [] : [[name, learnSuccess(name, entries, examples)] as const];
  });
  const rejections = named
    .filter(({ entry }) => !entry.response.isSuccess)
    .map(({ name, entry }) => ({ name, ...learnRejection(entry, examples) }));
  const responses: Record<string, KnownFailure> = Object.fromEntries(learned);
  for (const code of Object.keys(responseNames).filter((name) => !name.includes(".")))
    learnNames(code, rejections, responses);
  return {
    responses,
    observed: [...new Set(named.map(({ name }) => name))],
    varies: (path) => examples.varying.has(path),
  };
}

/** Success is decided by `success` alone. */
function responseName({ request, response, provokes }: Recorded): string | undefined {
  if (!response.isSuccess) return provokes;
  if (request.method === operations.rotate.method) return "rotated";
  if (request.method !== operations["get-or-create"].method) return undefined;
  return response.fields.new_user_group === true ? "created" : "found";
}

/** A response of a profile has a body. */
function canHold({ response: { status, isSuccess } }: Recorded): boolean {
  return ![204, 205, 304].includes(status) && status >= 200 && (!isSuccess || status < 300);
}

/** Status, headers and the fields that the document does not show. */
function learnSuccess(name: SuccessName, entries: readonly Recorded[], examples: Examples): KnownSuccess {
  const shown = shippedSchemas[operations[successes[name].operation].response].properties;
  const added = entries.map(({ response: { fields, group } }) => {
    const { user_group: _, ...others } = fields;
    const { provided_id, name } = group;
    const { mapping, properties } = examples.sentFor(provided_id);
    const known = { user_group_id: provided_id, name, mapping, properties };
    const value = { ...without(others, shown), user_group: without(group, shownSchemas) };
    return { group: provided_id, value: examples.clean(placeIn(value, known)) };
  });
  const { user_group, ...fields } = Object(examples.agree(added));
  const body = { ...fields, ...(Object.keys(Object(user_group)).length > 0 && { user_group }) };
  const [first] = mostFrequent(entries, ({ response }) => `${response.status}`);
  return {
    status: first.response.status,
    ...keptHeaders(first, examples),
    ...(Object.keys(body).length > 0 && { body }),
  };
}

function without(object: JsonObject, names: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(names, name)));
}

function learnRejection(entry: Recorded, examples: Examples): Omit<LearnedRejection, "name"> {
  const { status, json } = entry.response;
  const { content, key } = examples.rejection(entry);
  const start = { status, ...keptHeaders(entry, examples) };
  const response = { ...start, ...(json === undefined ? { text: String(content) } : { body: content }) };
  return { response, key: JSON.stringify([start, json === undefined, key]) };
}

/** `Content-Type` if it is not `application/json`, and `WWW-Authenticate`. */
function keptHeaders(entry: Recorded, examples: Examples): Pick<KnownFailure, "headers"> {
  const { "content-type": type, "www-authenticate": challenge } = entry.response.headers;
  const headers = {
    ...(type !== undefined &&
      bareType(type) !== "application/json" && { "Content-Type": examples.clean(type) }),
    ...(challenge !== undefined && { "WWW-Authenticate": examples.clean(challenge) }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/**
 * A name has its own response or, if no request provokes only the name itself, the most frequent one of the names below
 * it. These are written only where they differ.
 */
function learnNames(
  name: string,
  rejections: readonly LearnedRejection[],
  responses: Record<string, KnownFailure>,
  wider?: LearnedRejection,
): void {
  const names = Object.keys(responseNames).filter((one) => one === name || one.startsWith(`${name}.`));
  const [own, ...narrow] = names.map((one) => rejections.filter((rejection) => rejection.name === one));
  const usual = [own ?? [], ...narrow]
    .filter(({ length }) => length > 0)
    .map((one) => mostFrequent(one, ({ key }) => key)[0]);
  if (usual.length === 0) return;
  const [chosen] = own?.length ? usual : mostFrequent(usual, ({ key }) => key);
  if (chosen === undefined) return;
  const hidesHeaders = wider?.response.headers && !chosen.response.headers;
  if (chosen.key !== wider?.key)
    responses[name] = { ...chosen.response, ...(hidesHeaders && { headers: {} }) };
  const depth = name.split(".").length;
  for (const child of names.filter((one) => one.split(".").length === depth + 1))
    learnNames(child, rejections, responses, chosen);
}
