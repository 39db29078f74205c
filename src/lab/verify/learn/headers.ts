import { allowedMethods } from "../../../fake/contract/operations.js";
import { rowOf, type SituationId } from "../../../fake/contract/situations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { type Exchange, groupIn, isNewGroup, type Received, succeeded } from "../service/exchanges.js";
import { fillPlaceholders, hasBraces, sentReplacements } from "./rejection-template.js";
import type { Secrets } from "./secrets.js";

export type LearnedHeaders = Record<string, string | null>;

/** Headers of the connection, of caches, of servers and proxies, of single requests and of limits. */
const notLearned =
  /^(date|host|content-length|content-encoding|transfer-encoding|connection|keep-alive|trailer|upgrade|access-control-.*|usergroup-mock-.*|x-content-type-options|set-cookie|etag|last-modified|age|server|via|vary|cache-control|strict-transport-security|x-powered-by|.*(request|correlation|trace|transaction)-?id|traceparent|.*rate-?limit.*)$/;

/** The status codes for which Retry-After is about the load, and not about the request. */
const overloaded = [429, 503];

/** What the mock sends by itself. */
const ours = { "content-type": "application/json; charset=utf-8" };

/** Those of our own headers that a response of the service may lack. */
const removable = ["content-type", "www-authenticate", "allow"];

/** The headers of the service: those that most responses have, and how single responses differ from them. */
export class HeaderLearner {
  /** Of most responses. */
  readonly common: LearnedHeaders = {};
  readonly #secrets: Secrets;
  readonly #ofGroup: JsonObject;
  /** Headers that are different in equal responses. */
  readonly #varying = new Set<string>();

  /** @param ofGroup fields that are different in each group, with their placeholders: a Location may have them */
  constructor(exchanges: readonly Exchange[], secrets: Secrets, ofGroup: JsonObject = {}) {
    this.#secrets = secrets;
    this.#ofGroup = ofGroup;
    this.#findVarying(exchanges);
    const counts = new Map<string, Map<string, number>>();
    for (const exchange of exchanges)
      for (const [name, value] of this.learnable(exchange)) {
        const values = counts.get(name) ?? new Map<string, number>();
        counts.set(name, values.set(value, (values.get(value) ?? 0) + 1));
      }
    for (const [name, values] of counts)
      for (const [value, count] of values)
        if (count > exchanges.length / 2 && value !== ours["content-type"])
          this.common[headerName(name)] = value;
  }

  #findVarying(exchanges: readonly Exchange[]): void {
    const first = new Map<string, Map<string, string>>();
    for (const exchange of exchanges) {
      const kind = responseKind(exchange);
      const headers = new Map(this.learnable(exchange));
      const before = first.get(kind) ?? headers;
      first.set(kind, before);
      for (const [name, value] of headers) if (before.get(name) !== value) this.#varying.add(name);
      for (const name of before.keys()) if (!headers.has(name)) this.#varying.add(name);
    }
    for (const name of removable) this.#varying.delete(name);
  }

  /** The headers of a response that can be learned, with placeholders, by their names in lower case. */
  learnable({ sent, received }: Exchange): [name: string, value: string][] {
    const replacements = sentReplacements(sent);
    const isLearned = (name: string) =>
      !notLearned.test(name) &&
      !this.#varying.has(name) &&
      !(name === "retry-after" && overloaded.includes(received.status));
    return Object.entries(received.headers)
      .filter(([name, value]) => isLearned(name) && !hasBraces(value))
      .map(([name, value]) => [
        name,
        this.#secrets.hideText(this.#withGroup(fillPlaceholders(value, replacements), received), name),
      ]);
  }

  /** A number or UUID of the group, as a part of a path. */
  #withGroup(value: string, received: Received): string {
    return Object.entries(this.#ofGroup).reduce((text, [field, placeholder]) => {
      const own = groupIn(received)[field];
      if (!succeeded(received) || (placeholder !== "{number}" && placeholder !== "{uuid}")) return text;
      return text
        .split("/")
        .map((part) => (part === String(own) ? placeholder : part))
        .join("/");
    }, value);
  }

  /** How a response differs from what the mock would send. @param isText whether the body is not JSON */
  own(row: SituationId, exchange: Exchange, isText: boolean): LearnedHeaders {
    const found: LearnedHeaders = {};
    const headers = new Map(this.learnable(exchange));
    for (const [name, value] of headers) {
      const usual = this.common[headerName(name)] ?? mockHeaders(row, isText)[name];
      if (value !== usual) found[headerName(name)] = value;
    }
    for (const name of Object.keys(this.common)) if (!headers.has(name.toLowerCase())) found[name] = null;
    for (const name of Object.keys(mockHeaders(row, isText)))
      if (!headers.has(name) && removable.includes(name)) found[headerName(name)] = null;
    return found;
  }
}

/** What the mock sends by itself in a situation. A text has the type that the profile gives it. */
function mockHeaders(row: SituationId, isText: boolean): Readonly<Record<string, string>> {
  const { code } = rowOf(row);
  return {
    ...(!isText && ours),
    ...(code === "unauthorized" && { "www-authenticate": "Token" }),
    ...(code === "method_not_allowed" && { allow: allowedMethods }),
  };
}

/** Responses of one kind should have the same headers. */
function responseKind({ sent, received }: Exchange): string {
  if (succeeded(received)) return `${sent.method} ${isNewGroup(received)}`;
  return `${received.status} ${sent.method} ${templateText(sent.path, received)}`;
}

function templateText(path: string, { text }: Received): string {
  return text.replaceAll(path, "").replace(/ugm-?\w+/g, "");
}

/** @example "WWW-Authenticate" */
export function headerName(name: string): string {
  if (name === "www-authenticate") return "WWW-Authenticate";
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
