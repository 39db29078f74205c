import { isDeepStrictEqual } from "node:util";
import { shownSchemas } from "../../contract/group-fields.js";
import { operations } from "../../contract/operations.js";
import { resolveResponses } from "../../contract/profile.js";
import { fillable, responseNames, successes } from "../../contract/response-names.js";
import type { JsonObject } from "../../foundation/json.js";
import { mapJson } from "../../foundation/json-shape.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { KnownFailure, Profile, ProfileResponses } from "../../generated/types.js";
import { exampleGroup } from "./facts.js";
import { bareType, type ReceivedResponse, type Recorded, type SentRequest, sentFields } from "./recorded.js";
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

  constructor({ transcript, prefix, secrets }: ServiceClient) {
    this.#transcript = transcript;
    const sent = transcript.flatMap(({ request }) => {
      const { current_token, user_group_id, name } = sentFields(request);
      return [current_token, ...[user_group_id, name].filter(Number.isInteger)];
    });
    const forms = [...secrets, ...sent].flatMap((secret) => formsOf(`${secret ?? ""}`));
    const patterns = forms.filter(({ length }) => length > 2).map((text) => text.replace(/[^\w\s]/g, "\\$&"));
    this.#secrets = new RegExp([`${prefix}[\\w-]*`, ...new Set(patterns)].join("|"), "gi");
  }

  /** @param names how the mock names the response to each request of the run */
  learn(names: readonly (string | undefined)[]): void {
    for (const name of Object.keys(responseNames)) {
      const isSuccess = Object.hasOwn(successes, name);
      const entries = this.#transcript.filter(
        (entry, i) => names[i] === name && entry.response.isSuccess === isSuccess && canHold(entry),
      );
      const responses = entries.map((entry) =>
        isSuccess ? this.#success(entry, entries) : this.rejection(entry),
      );
      const note = (one: unknown, path: string, other: unknown) => {
        if (typeof one !== "object" && one !== other) this.#varying.add(path);
      };
      for (const { body, text } of isSuccess ? [] : responses) mapJson({ body, text }, note, responses[0]);
      // One group is the example of all successes, so that its fields agree.
      const example = entries.findIndex(({ probe }) => probe === exampleGroup);
      const usual = isSuccess ? responses[Math.max(example, 0)] : this.#mostFrequent(responses);
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
      const below = [...learned]
        .filter(([one]) => one.startsWith(`${name}.`))
        .map(([, response]) => response);
      const response = learned.get(name) ?? this.#mostFrequent(below);
      if (response === undefined) continue;
      chosen.set(name, response);
      const wider = chosen.get(name.slice(0, Math.max(0, name.lastIndexOf("."))));
      if (wider && this.key(wider) === this.key(response)) continue;
      written[name] = { ...response, ...(wider?.headers && !response.headers && { headers: {} }) };
    }
    return written;
  }

  /** `profile`, with what an earlier one has and this run did not see. */
  merge(earlier: Profile, profile: Profile): Profile {
    const seen = [...this.learned.keys()];
    const isSeen = (name: string) => seen.some((one) => `${one}.`.startsWith(`${name}.`));
    const kept = [...resolveResponses(earlier.responses)]
      .filter(([name]) => !isSeen(name))
      .map(([name, { isTemplate: _, ...response }]) => [name, response] as const);
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

  /** A success, with the fields that the document does not show. What differs between two groups is an example. */
  #success(entry: Recorded, entries: readonly Recorded[]): KnownFailure {
    const idIn = ({ response }: Recorded) => response.group.provided_id;
    const other = entries.find((one) => idIn(one) !== idIn(entry));
    const [added, others] = [entry, other].map((one) => one && { added: this.#addedIn(one) });
    const { added: body } = Object(this.#template(added, others));
    return { ...this.#head(entry.response), ...(Object.keys(body).length > 0 && { body }) };
  }

  /** A rejection. A word that may be an id of the request is an example. */
  rejection({ request, response }: Recorded): KnownFailure {
    return { ...this.#head(response), ...Object(this.#template(contentOf(request, response))) };
  }

  /** The status, `Content-Type` if it is not `application/json`, and `WWW-Authenticate`. */
  #head({ status, headers }: ReceivedResponse): KnownFailure {
    const { "content-type": type = "", "www-authenticate": challenge = "" } = headers;
    const kept = {
      ...(!["", "application/json"].includes(bareType(type)) && { "Content-Type": this.#clean(type) }),
      ...(challenge !== "" && { "WWW-Authenticate": this.#clean(challenge) }),
    };
    return { status, ...(Object.keys(kept).length > 0 && { headers: kept }) };
  }

  #clean(text: string): string {
    return text.replace(this.#secrets, "example");
  }

  #template(value: unknown, sample?: unknown): unknown {
    const map = (one: unknown, path: string, other: unknown) => {
      const isSecret = secretName.test(path);
      if (typeof one === "number") return isSecret || this.#clean(`${one}`) === "example" ? 0 : one;
      if (typeof one !== "string") return undefined;
      const isAdded = path.startsWith("/added");
      // In a rejection, a sentence or a placeholder is not a secret. A text that differs between groups may be one.
      const isHarmless = !isAdded && /^$|\s|^\{\w+\}$/.test(one);
      if (isSecret && !isHarmless) return "example";
      const isExample = date.test(one) || /^[\d.,:+-]+$/.test(one);
      if (isAdded) return isExample || one === other ? this.#clean(one) : "example";
      return this.#clean(one).replace(opaque, "example");
    };
    return mapJson(value, map, sample, (name) => this.#clean(name));
  }

  /** The fields of a success that the document does not show, with placeholders for those of the group. */
  #addedIn({ request: { method }, response: { fields, group } }: Recorded): unknown {
    const operation = method === operations.rotate.method ? "rotate" : "get-or-create";
    const { provided_id, name } = group;
    const created = this.#transcript.find(({ response }) => response.group.provided_id === provided_id);
    const sent = created ? pickSent(created.request) : {};
    const user_group = without(group, shownSchemas);
    const added = {
      ...without(fields, shippedSchemas[operations[operation].response].properties),
      ...(Object.keys(user_group).length > 0 && { user_group }),
    };
    return placeIn(added, { ...sent, user_group_id: provided_id, name });
  }
}

/** A response of a profile has a body. */
function canHold({ response: { status, isSuccess } }: Recorded): boolean {
  return ![204, 205, 304].includes(status) && status >= 200 && (!isSuccess || status < 300);
}

function without(object: JsonObject, names: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(names, name)));
}

/** How a service may repeat a text. */
function formsOf(text: string): string[] {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return [text, html, encodeURIComponent(text), Buffer.from(text).toString("base64")];
}

/** The content of a rejection, with placeholders for what the request sent. */
function contentOf(request: SentRequest, { json, text }: ReceivedResponse): unknown {
  const { method } = request;
  const path = request.path.split("?")[0];
  const sent = { ...pickSent(request), path, method };
  return placeIn(json === undefined ? { text } : { body: json }, sent);
}

/** The fields for which a profile has placeholders. */
function pickSent(request: SentRequest): JsonObject {
  const fields = sentFields(request);
  return Object.fromEntries(Object.keys(fillable).map((name) => [name, fields[name]]));
}

/** Puts placeholders into a value, for what was sent. */
function placeIn(value: unknown, sent: JsonObject): unknown {
  const names = Object.keys(sent).filter((name) => isDistinct(sent[name]));
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
