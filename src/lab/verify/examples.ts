import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { mapValues, typeName } from "../../foundation/json-shape.js";
import { isSameResponse, type Recorded } from "./recorded.js";
import type { ServiceClient } from "./service-client.js";

/** A field whose value may be a secret. */
const secretName = /token|secret|key|password/i;

/** Dates and numbers. */
const harmless = /^(\d{4}-\d\d-\d\d|\w{3}, \d\d \w{3} \d{4})|^[\d.,:+-]+$/;

/** A long word with digits may be the id of a request, or a secret. */
const opaque = /\b(?=[\w-]*\d)[\w-]{20,}\b/g;

/** A value in a response about a group. */
export interface SeenValue {
  readonly group: unknown;
  readonly value: unknown;
}

/** Makes values for a profile from what a service sent: no tokens, no ids of the run, no secrets. */
export class Examples {
  /** Paths in rejections whose values differ between two responses to the same request. */
  readonly varying = new Set<string>();
  readonly #secrets: RegExp;
  readonly #transcript: readonly Recorded[];

  constructor({ transcript, prefix, target }: ServiceClient) {
    this.#transcript = transcript;
    const sent = transcript.flatMap(({ request, response }) => {
      const { current_token, user_group_id, name } = sentFields(request);
      return [response.group.token, current_token, ...[user_group_id, name].filter(Number.isInteger)];
    });
    const secrets = [target.apiToken, target.secondApiToken, ...sent]
      .filter((value) => typeof value === "string" || typeof value === "number")
      .flatMap((value) => formsOf(`${value}`))
      .filter(({ length }) => length > 2);
    const patterns = [...new Set(secrets)].map((text) => text.replace(/[^\w\s]/g, "\\$&"));
    this.#secrets = new RegExp([`${prefix}[\\w-]*`, ...patterns].join("|"), "gi");
    for (const entry of transcript) {
      const twin = this.#twinOf(entry);
      if (twin) this.#findVarying(placed(entry), placed(twin), rootOf(entry));
    }
  }

  /** What created a group. */
  sentFor(id: unknown): JsonObject {
    const created = this.#transcript.find(({ response }) => response.group.provided_id === id);
    return created ? sentFields(created.request) : {};
  }

  /** A value without tokens and ids of the run. */
  clean<Value>(value: Value): Value | string;
  clean(value: unknown): unknown {
    if (typeof value === "string") return value.replace(this.#secrets, "example");
    if (typeof value === "number") return `${value}`.replace(this.#secrets, "") === "" ? 0 : value;
    return mapValues(
      value,
      (one) => this.clean(one),
      (name) => String(this.clean(name)),
    );
  }

  /** What is known about a value that differs between groups: it stays if two of them had the same one. */
  agree(seen: readonly SeenValue[], path = ""): unknown {
    const present = seen.filter(({ value }) => value !== undefined);
    if (present.length === 0 || present.length * 2 < seen.length) return undefined;
    const alike = mostFrequent(present, ({ value }) => typeName(value));
    const [{ value: first }] = alike;
    const within = (name: string | number) =>
      alike.map(({ group, value }) => ({ group, value: Object(value)[name] }));
    if (isObject(first)) {
      const names = new Set(alike.flatMap(({ value }) => Object.keys(Object(value))));
      const agreed = [...names].map((name) => [name, this.agree(within(name), `${path}/${name}`)]);
      return Object.fromEntries(agreed.filter(([, value]) => value !== undefined));
    }
    if (Array.isArray(first)) return first.map((_, i) => this.agree(within(i), path));
    if (secretName.test(path))
      return typeof first === "number" ? 0 : typeof first === "string" ? "example" : first;
    const same = mostFrequent(alike, ({ value }) => JSON.stringify(value));
    if (new Set(same.map(({ group }) => group)).size > 1) return same[0].value;
    return typeof first === "string" && !harmless.test(first) ? "example" : first;
  }

  /** The content of a rejection, and a text that is the same for those that differ only in what varies. */
  rejection(entry: Recorded): { readonly content: unknown; readonly key: string } {
    const twin = this.#twinOf(entry);
    const own = placed(entry);
    const content = this.clean(this.#blur(own, twin && placed(twin), rootOf(entry)));
    return { content, key: JSON.stringify(this.#withoutNumbers(content, rootOf(entry))) };
  }

  #twinOf(entry: Recorded): Recorded | undefined {
    if (entry.response.isSuccess) return undefined;
    return this.#transcript.find(
      (other) =>
        other !== entry &&
        isDeepStrictEqual(other.request, entry.request) &&
        isSameResponse(other.response, entry.response),
    );
  }

  #findVarying(one: unknown, other: unknown, path: string): void {
    if (isDeepStrictEqual(one, other)) return;
    if (typeof one !== "object" || typeName(one) !== typeName(other)) this.varying.add(path);
    else for (const name in one) this.#findVarying(Object(one)[name], Object(other)[name], `${path}/${name}`);
  }

  /** Without what varies, or may be a secret. A sentence is none. */
  #blur(value: unknown, twin: unknown, path: string): unknown {
    if (typeof value === "number") return secretName.test(path) ? 0 : value;
    if (typeof value !== "string") {
      return mapValues(value, (one, name) => this.#blur(one, Object(twin)[name], `${path}/${name}`));
    }
    if (secretName.test(path) && !/^$|\s|^\{\w+\}$/.test(value)) return "example";
    if (typeof twin === "string") return value === twin ? value : commonWords(value, twin);
    const plain = value.replace(opaque, "example");
    if (!this.varying.has(path)) return plain;
    return plain.replace(/\S*\d\S*/g, (word) => (harmless.test(word) ? word : "example"));
  }

  /** Numbers and dates that vary are examples. */
  #withoutNumbers(value: unknown, path: string): unknown {
    if (typeof value === "object")
      return mapValues(value, (one, name) => this.#withoutNumbers(one, `${path}/${name}`));
    return this.varying.has(path) ? `${value}`.replace(/\d+/g, "0") : value;
  }
}

/** The path of a text that is not JSON. */
function rootOf({ response }: Recorded): string {
  return response.json === undefined ? "text" : "";
}

/** How a service may repeat a text. */
function formsOf(text: string): string[] {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return [text, html, encodeURIComponent(text), Buffer.from(text).toString("base64")];
}

/** Two texts that should be equal, without the words in which they differ. */
function commonWords(one: string, other: string): string {
  const [words = [], others = []] = [one, other].map((text) => text.split(/([\s"'<>()[\],;=&]+)/));
  if (words.length !== others.length) return "example";
  return words.map((word, i) => (word === others[i] || harmless.test(word) ? word : "example")).join("");
}

/** The fields of a body, if it is a JSON object. */
export function sentFields({ text = "" }: Recorded["request"]): JsonObject {
  const json = parseJson(text);
  return isObject(json) ? json : {};
}

/** The content of a rejection, with placeholders for what the request sent. */
function placed({ request, response }: Recorded): unknown {
  const { user_group_id, name, current_token, mapping, properties } = sentFields(request);
  const path = request.path.split("?")[0];
  const { method } = request;
  const sent = { path, current_token, user_group_id, name, mapping, properties, method };
  return placeIn(response.json ?? response.text, sent);
}

/** Puts placeholders into a value, for what was sent. */
export function placeIn(value: unknown, sent: JsonObject): unknown {
  const names = Object.keys(sent).filter((name) => isDistinct(sent[name]));
  const whole = names.find((name) => isDeepStrictEqual(value, sent[name]));
  if (whole !== undefined) return `{${whole}}`;
  if (typeof value !== "string") return mapValues(value, (one) => placeIn(one, sent));
  return names.reduce((text, name) => {
    const given = sent[name];
    if (name === "method") return text.replace(new RegExp(`\\b${given}\\b`, "g"), "{method}");
    return typeof given === "object" || name === "mapping" || name === "properties"
      ? text
      : text.replaceAll(`${given}`, `{${name}}`);
  }, value);
}

/** Whether a value is hardly in a response for another reason. */
function isDistinct(sent: unknown): boolean {
  if (typeof sent === "string") return sent.length > 2;
  return typeof sent === "number" ? sent > 999 : Object.keys(Object(sent)).length > 0;
}

/** Those of the most frequent kind. */
export function mostFrequent<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
): [Item, ...Item[]] {
  const kinds = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const same = kinds.get(kindOf(item));
    if (same === undefined) kinds.set(kindOf(item), [item]);
    else same.push(item);
  }
  return [...kinds.values()].reduce((most, same) => (same.length > most.length ? same : most));
}
