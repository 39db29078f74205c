import { isDeepStrictEqual } from "node:util";
import { shownSchemas } from "../../contract/group-fields.js";
import { operations } from "../../contract/operations.js";
import { resolveResponses } from "../../contract/profile.js";
import { fillable, responseNames, successOf, widerName } from "../../contract/response-names.js";
import type { JsonObject } from "../../foundation/json.js";
import { mapJson } from "../../foundation/json-shape.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { KnownFailure, Profile, ProfileResponses } from "../../generated/types.js";
import { type ReceivedResponse, type Recorded, sentFields } from "./recorded.js";
import type { ServiceClient } from "./service-client.js";

/** A field whose value may be a secret. */
const secretName = /token|secret|key|password/i;

const date = /^(\d{4}-\d\d-\d\d|\w{3}, \d\d \w{3} \d{4})/;

/** A long word with digits may be the id of a request, or a secret. */
const opaque = /\b(?=[\w-]*\d)[\w-]{16,}\b/g;

/** Makes responses of a profile from those of a run: without tokens, ids of the run, and secrets. */
export class Learner {
  /** The responses that were seen, by name. */
  readonly learned = new Map<string, KnownFailure>();
  readonly #transcript: readonly Recorded[];
  readonly #secrets: RegExp;
  /** The paths in rejections whose values differ between two requests of one name. */
  readonly #varying = new Set<string>();

  /** @param names how the mock names the response to each request of the run */
  constructor({ transcript, prefix, secrets }: ServiceClient, names: readonly (string | undefined)[]) {
    this.#transcript = transcript;
    const sent = transcript.flatMap(({ request }) => {
      const { current_token, user_group_id, name } = sentFields(request);
      return [current_token, ...[user_group_id, name].filter(Number.isInteger)];
    });
    const forms = [...secrets, ...sent].flatMap((secret) => formsOf(`${secret ?? ""}`));
    const patterns = forms.filter(({ length }) => length > 2).map((text) => text.replace(/[^\w\s]/g, "\\$&"));
    this.#secrets = new RegExp([`${prefix}[\\w-]*`, ...new Set(patterns)].join("|"), "gi");
    for (const name of Object.keys(responseNames)) {
      const entries = transcript.filter((entry, i) => names[i] === name && canHold(name, entry.response));
      const usual = successOf(name) ? this.#success(entries) : this.#usualRejection(entries);
      if (usual) this.learned.set(name, usual);
    }
  }

  /**
   * What was learned, as a profile has it. A name has its own response or, if no request provokes only the name itself,
   * the most frequent one of the names below it. Narrow names are written only where they differ.
   */
  responses(learned: ReadonlyMap<string, KnownFailure> = this.learned): ProfileResponses {
    const written: Record<string, KnownFailure> = {};
    const chosen = new Map<string, KnownFailure>();
    for (const name of Object.keys(responseNames)) {
      const below = [...learned].filter(([one]) => one.startsWith(`${name}.`));
      const response = learned.get(name) ?? this.#mostFrequent(below.map(([, one]) => one));
      if (response === undefined) continue;
      chosen.set(name, response);
      const wider = chosen.get(widerName(name));
      if (wider && this.key(wider) === this.key(response)) continue;
      written[name] = { ...response, ...(wider?.headers && !response.headers && { headers: {} }) };
    }
    return written;
  }

  /** `profile`, with what an earlier one has and this run did not see. */
  merge(earlier: Profile, profile: Profile): Profile {
    const seen = [...this.learned.keys()];
    const isSeen = (name: string) => seen.some((one) => `${one}.`.startsWith(`${name}.`));
    const kept = [...resolveResponses(earlier.responses)].filter(([name]) => !isSeen(name));
    const responses = this.responses(new Map([...this.learned, ...kept]));
    return { ...earlier, ...profile, assume: { ...earlier.assume, ...profile.assume }, responses };
  }

  #mostFrequent(responses: readonly KnownFailure[]): KnownFailure | undefined {
    const keys = responses.map((response) => this.key(response));
    const counts = keys.map((key) => keys.filter((one) => one === key).length);
    return responses[counts.indexOf(Math.max(...counts))];
  }

  /** A text that is the same for responses which differ only in dates, and in numbers that vary. */
  key({ status, headers, body, text }: KnownFailure): string {
    const response = mapJson({ status, headers, body, text }, (one, path) => {
      const isNumbered = typeof one !== "object" && (date.test(`${one}`) || this.#varying.has(path));
      return isNumbered ? `${one}`.replace(/\d+/g, "0") : undefined;
    });
    return JSON.stringify(response);
  }

  /** With the fields that the document does not show. The first group is the example in all successes. */
  #success([entry, ...entries]: readonly Recorded[]): KnownFailure | undefined {
    if (entry === undefined) return undefined;
    const { provided_id } = entry.response.group;
    const other = entries.find(({ response }) => response.group.provided_id !== provided_id);
    const body = Object(this.#template(this.#addedIn(entry), other ? this.#addedIn(other) : {}));
    return { ...this.#head(entry.response), ...(Object.keys(body).length > 0 && { body }) };
  }

  #usualRejection(entries: readonly Recorded[]): KnownFailure | undefined {
    const responses = entries.map((entry) => this.rejection(entry));
    const note = (one: unknown, path: string, other: unknown) => {
      if (typeof one !== "object" && one !== other) this.#varying.add(path);
    };
    for (const { body, text } of responses) mapJson({ body, text }, note, responses[0]);
    return this.#mostFrequent(responses);
  }

  rejection({ request, response }: Recorded): KnownFailure {
    const { json, text } = response;
    const sent = { ...sentFields(request), path: request.path.split("?")[0], method: request.method };
    const content = placeIn(json === undefined ? { text } : { body: json }, sent);
    return { ...this.#head(response), ...Object(this.#template(content)) };
  }

  /** The status, `Content-Type` if it is not `application/json`, and `WWW-Authenticate`. */
  #head({ status, headers, type }: ReceivedResponse): KnownFailure {
    const { "content-type": full = "", "www-authenticate": challenge = "" } = headers;
    const kept = {
      ...(!["", "application/json"].includes(type) && { "Content-Type": this.#clean(full) }),
      ...(challenge !== "" && { "WWW-Authenticate": this.#clean(challenge) }),
    };
    return { status, ...(Object.keys(kept).length > 0 && { headers: kept }) };
  }

  #clean(text: string): string {
    return text.replace(this.#secrets, "example");
  }

  /** @param others what another group has, if this is of a group: a text that differs may be a secret */
  #template(value: unknown, others?: unknown): unknown {
    const map = (one: unknown, path: string, other: unknown) => {
      const isSecret = secretName.test(path);
      if (typeof one === "number") return isSecret || this.#clean(`${one}`) === "example" ? 0 : one;
      if (typeof one !== "string") return undefined;
      const isExample = one === other || date.test(one) || /^[\d.,:+-]+$/.test(one);
      if (others !== undefined) return isExample && !isSecret ? this.#clean(one) : "example";
      // In a rejection, a sentence or a placeholder is not a secret.
      const isHarmless = /^$|\s|^\{\w+\}$/.test(one);
      return isSecret && !isHarmless ? "example" : this.#clean(one).replace(opaque, "example");
    };
    return mapJson(value, map, others, (name) => this.#clean(name));
  }

  /** The fields of a success that the document does not show, with placeholders for those of the group. */
  #addedIn({ request: { method }, response: { fields, group } }: Recorded): unknown {
    const operation = method === operations.rotate.method ? "rotate" : "get-or-create";
    const { provided_id, name } = group;
    const created = this.#transcript.find(({ response }) => response.group.provided_id === provided_id);
    const sent = { ...(created && sentFields(created.request)), user_group_id: provided_id, name };
    const user_group = without(group, shownSchemas);
    const added = without(fields, shippedSchemas[operations[operation].response].properties);
    return placeIn({ ...added, ...(Object.keys(user_group).length > 0 && { user_group }) }, sent);
  }
}

/** A response of a profile has a body, and is a success if its name is that of one. */
function canHold(name: string, { status, isSuccess }: ReceivedResponse): boolean {
  const hasBody = status >= 200 && ![204, 205, 304].includes(status);
  return hasBody && (successOf(name) ? isSuccess && status < 300 : !isSuccess);
}

function without(object: JsonObject, names: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(names, name)));
}

/** How a service may repeat a text. */
function formsOf(text: string): string[] {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return [text, html, encodeURIComponent(text), Buffer.from(text).toString("base64")];
}

/** Puts placeholders into a value, for what was sent. */
function placeIn(value: unknown, sent: JsonObject): unknown {
  const names = Object.keys(fillable).filter((name) => isDistinct(sent[name]));
  return mapJson(value, (one) => {
    const whole = names.find((name) => isDeepStrictEqual(one, sent[name]));
    if (whole !== undefined) return `{${whole}}`;
    if (typeof one !== "string") return undefined;
    return names.reduce((text, name) => {
      const given = sent[name];
      if (name === "method") return text.replace(new RegExp(`\\b${given}\\b`, "g"), "{method}");
      const isWhole = typeof given === "object" || fillable[name] === true;
      return isWhole ? text : text.replaceAll(`${given}`, `{${name}}`);
    }, one);
  });
}

/** Whether a value is hardly in a response for another reason. */
function isDistinct(sent: unknown): boolean {
  if (typeof sent === "string") return sent.length > 2;
  return typeof sent === "number" ? sent > 999 : Object.keys(Object(sent)).length > 0;
}
