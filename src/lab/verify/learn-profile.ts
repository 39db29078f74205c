import { isDeepStrictEqual } from "node:util";
import { operations } from "../../fake/contract/operations.js";
import { resolveResponses } from "../../fake/contract/profile.js";
import { placeholders, responseNames, successOf, widerName } from "../../fake/contract/response-names.js";
import type { JsonObject } from "../../foundation/json.js";
import { mapJson } from "../../foundation/json-shape.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { KnownFailure, Profile, ProfileResponses } from "../../generated/types.js";
import { type ReceivedResponse, type Recorded, sentFields } from "./recorded.js";
import type { ServiceClient } from "./service-client.js";

/** A field whose value may be a secret. */
const secretName = /token|secret|key|password/i;
/** A long word with digits may be the id of a request, or a secret. */
const opaque = /\b(?=[\w-]*\d)[\w-]{16,}\b/g;
/** Also as seconds or milliseconds since 1970. */
const date = /^(\d{4}-\d\d-\d\d|\w{3}, \d\d \w{3} \d{4}|1[5-9]\d{8}(\d{3})?(\.|$))/;

export type Learned = ReturnType<typeof learn>;

/** Makes responses of a profile from those of a run, by their names: without tokens, ids of the run, and secrets. */
export function learn(service: ServiceClient, names: readonly string[]) {
  const { transcript } = service;
  const clean = cleaner(service);
  const nameOf = new Map(transcript.map(({ request }, i) => [request, names[i] ?? ""]));
  const entriesOf = (name: string) => transcript.filter(({ request }) => nameOf.get(request) === name);
  /** Where a value is: the widest name of the response, and the path in it. */
  const placeOf = ({ request }: Recorded, path: string) =>
    `${nameOf.get(request)?.split(".")[0]}${clean(path)}`;
  /** The first dates of the run, and the first varying numbers of a name. Later ones become equal to them. */
  const examples = new Map<string, unknown>();
  /** What a profile has of a body or text. `varying` has the places of values that are only examples. */
  const contentWith = (entry: Recorded, varying: ReadonlySet<string>): KnownFailure => {
    const { isSuccess } = entry.response;
    const map = (one: unknown, path: string) => {
      if (typeof one !== "string" && typeof one !== "number") return undefined;
      const isVarying = varying.has(placeOf(entry, path));
      const isNumeric = typeof one === "number" || date.test(one) || /^[\d.,:+-]+$/.test(one);
      // In a rejection, a sentence or a placeholder is not a secret.
      const isHarmless = !isSuccess && /^$|\s|^\{\w+\}$/.test(`${one}`);
      const isSecret = secretName.test(path) ? !isHarmless : isSuccess && isVarying && !isNumeric;
      const cleaned = isSecret ? "example" : clean(`${one}`);
      const text = isSuccess ? cleaned : cleaned.replace(opaque, "example");
      const value = typeof one === "string" ? text : cleaned === "example" ? 0 : one;
      if (!isVarying && !date.test(`${one}`)) return value;
      const name = date.test(`${one}`) ? "" : nameOf.get(entry.request);
      const kind = `${name}${clean(path)} ${value}`.replace(/\d+/g, "0");
      if (!examples.has(kind)) examples.set(kind, value);
      return examples.get(kind);
    };
    return Object(mapJson(isSuccess ? addedIn(entry, transcript) : rejectionIn(entry), map, {}, clean));
  };

  /** A wide name is seen if a narrower one is. */
  const isSeen = (name: string) => names.some((one) => `${one}.`.startsWith(`${name}.`));
  const seen = Object.keys(responseNames).filter(isSeen);
  /** The places whose values differ between two groups, or between two rejections of one name. */
  const differing = new Set<string>();
  for (const [first, ...others] of seen.map(entriesOf)) {
    if (!first) continue;
    const { isSuccess, group } = first.response;
    const isOther = ({ response }: Recorded) => response.group.provided_id !== group.provided_id;
    const note = (one: unknown, path: string, another: unknown) => {
      if (typeof one !== "object" && one !== another) differing.add(placeOf(first, path));
    };
    // If there is no other group, everything varies: it may be a secret.
    for (const other of isSuccess ? [others.find(isOther) ?? entriesOf("created").find(isOther)] : others)
      mapJson(contentWith(first, new Set()), note, other && contentWith(other, new Set()));
  }
  const contentOf = (entry: Recorded) => contentWith(entry, differing);

  const usual = (name: string): KnownFailure => {
    const own = entriesOf(name).map((entry) => ({ ...head(entry.response, clean), ...contentOf(entry) }));
    // The first group comes first, so that the fields of all successes agree.
    if (successOf(name)) return own[0] ?? {};
    // If no request provokes only the name itself, the names below it decide.
    const below = seen.filter((one) => one.startsWith(`${name}.`) && names.includes(one));
    const all = own.length > 0 ? own : below.map(usual);
    const counts = all.map((one) => all.filter((other) => isDeepStrictEqual(one, other)).length);
    return all[counts.indexOf(Math.max(...counts))] ?? {};
  };
  return { responses: new Map(seen.map((name) => [name, usual(name)])), contentOf };
}

/** Responses as a profile has them: narrow names only where they differ. */
export function writeResponses(responses: Learned["responses"]): ProfileResponses {
  const written = Object.keys(responseNames).flatMap((name) => {
    const [response, wider] = [name, widerName(name)].map((one) => responses.get(one));
    if (response === undefined || isDeepStrictEqual(wider, response)) return [];
    return [[name, { ...response, ...(wider?.headers && !response.headers && { headers: {} }) }]];
  });
  return Object.fromEntries(written);
}

/** `profile`, with what an earlier one has and this run did not see. */
export function keepUnobserved(earlier: Profile, profile: Profile, seen: Learned["responses"]): Profile {
  const kept = [...resolveResponses(earlier.responses)].filter(([name]) => !seen.has(name));
  const responses = writeResponses(new Map([...seen, ...kept]));
  return { ...earlier, ...profile, assume: { ...earlier.assume, ...profile.assume }, responses };
}

/** The status, `Content-Type` if it is not `application/json`, and `WWW-Authenticate`. */
function head({ status, headers, type }: ReceivedResponse, clean: (text: string) => string): KnownFailure {
  const { "content-type": full = "", "www-authenticate": challenge } = headers;
  const kept = {
    ...(!["", "application/json"].includes(type) && { "Content-Type": clean(full) }),
    ...(challenge && { "WWW-Authenticate": clean(challenge) }),
  };
  return { status, ...(Object.keys(kept).length > 0 && { headers: kept }) };
}

/** The content of a rejection, with placeholders for what the request sent. */
function rejectionIn({ request, response: { json, text } }: Recorded): unknown {
  const sent = { ...sentFields(request), path: request.path.split("?")[0], method: request.method };
  return placeIn(json === undefined ? { text } : { body: json }, sent);
}

/** The fields of a success that the document does not show, with placeholders for those of the group. */
function addedIn({ request, response }: Recorded, transcript: readonly Recorded[]): unknown {
  const operation = request.method === operations.rotate.method ? "rotate" : "get-or-create";
  const { provided_id, name } = response.group;
  const created = transcript.find((one) => one.response.group.provided_id === provided_id);
  const sent = { ...(created && sentFields(created.request)), user_group_id: provided_id, name };
  const user_group = without(response.group, response.shown);
  const added = without(response.fields, shippedSchemas[operations[operation].response].properties);
  const body = { ...added, ...(Object.keys(user_group).length > 0 && { user_group }) };
  return Object.keys(body).length > 0 ? placeIn({ body }, sent) : {};
}

function without(object: JsonObject, names: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(names, name)));
}

/** Returns what replaces tokens and sent values, in the forms in which a service may repeat them. */
function cleaner({ transcript, prefix, secrets }: ServiceClient): (text: string) => string {
  const sent = transcript.flatMap(({ request }) => {
    const { current_token, user_group_id, name } = sentFields(request);
    return [current_token, ...[user_group_id, name].filter(Number.isInteger)];
  });
  const plain = [...secrets, ...sent].map((one) => `${one ?? ""}`);
  const forms = plain.flatMap((text) => {
    const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    return [text, html, encodeURIComponent(text), Buffer.from(text).toString("base64")];
  });
  const patterns = forms.filter(({ length }) => length > 2).map((text) => text.replace(/[^\w\s]/g, "\\$&"));
  const pattern = new RegExp([`${prefix}[\\w-]*`, ...new Set(patterns)].join("|"), "gi");
  return (text) => text.replace(pattern, "example");
}

/** Puts placeholders into a value, for what was sent. What is short may be in a response for another reason. */
function placeIn(value: unknown, sent: JsonObject): unknown {
  const ofRequests = Object.keys(placeholders).filter((name) => !placeholders[name]?.isOfGroup);
  const names = ofRequests.filter((name) => JSON.stringify(sent[name] ?? null).length > 4);
  return mapJson(value, (one) => {
    const whole = names.find((name) => isDeepStrictEqual(one, sent[name]));
    if (whole !== undefined) return `{${whole}}`;
    if (typeof one !== "string") return undefined;
    return names.reduce((text, name) => {
      if (typeof sent[name] === "object" || placeholders[name]?.isObject) return text;
      const given = name === "method" ? new RegExp(`\\b${sent.method}\\b`, "g") : `${sent[name]}`;
      return text.replaceAll(given, `{${name}}`);
    }, one);
  });
}
