import { allowedMethods } from "../../../fake/contract/operations.js";
import { rowOf, type SituationId } from "../../../fake/contract/situations.js";
import { textType } from "../../../fake/service/respond.js";
import type { JsonObject } from "../../../foundation/json.js";
import { type Exchange, groupIn, type Received, succeeded } from "../service/exchanges.js";
import { fillPlaceholders, hasBraces, sentReplacements } from "./rejection-template.js";
import type { Secrets } from "./secrets.js";

export type LearnedHeaders = Record<string, string | null>;

/** Headers of the connection, of caches, of servers and proxies, of single requests and of limits. */
const notLearned =
  /^(date|host|content-length|content-encoding|transfer-encoding|connection|keep-alive|trailer|upgrade|access-control-.*|usergroup-mock-.*|x-content-type-options|set-cookie|etag|last-modified|age|server|via|vary|cache-control|strict-transport-security|x-powered-by|.*(request|correlation|trace|transaction)-?id|traceparent|.*(response|process)-?time|x-runtime|server-timing|.*rate-?limit.*)$/;

/** The status codes for which Retry-After is about the load, and not about the request. */
const overloaded = [429, 503];

/** What the mock sends by itself. */
const ours = { "content-type": "application/json; charset=utf-8" };

/** The headers of the service: those that most responses have, and how single responses differ from them. */
export class HeaderLearner {
  /** Of most responses. */
  readonly common: LearnedHeaders = {};
  readonly #secrets: Secrets;
  readonly #ofGroup: JsonObject;

  /** @param ofGroup fields that are different in each group, with their placeholders: a Location may have them */
  constructor(exchanges: readonly Exchange[], secrets: Secrets, ofGroup: JsonObject = {}) {
    this.#secrets = secrets;
    this.#ofGroup = ofGroup;
    const all = exchanges.flatMap((exchange) => this.learnable(exchange));
    for (const [name, value] of all) {
      const count = all.filter((one) => one[0] === name && one[1] === value).length;
      if (count > exchanges.length / 2 && value !== ours["content-type"])
        this.common[headerName(name)] = value;
    }
  }

  /** The headers of a response that can be learned, with placeholders, by their names in lower case. */
  learnable({ sent, received }: Exchange): [name: string, value: string][] {
    const replacements = sentReplacements(sent);
    const isLearned = (name: string) =>
      !notLearned.test(name) && !(name === "retry-after" && overloaded.includes(received.status));
    return Object.entries(received.headers)
      .filter(([name, value]) => isLearned(name) && !hasBraces(value))
      .map(([name, value]) => [
        name,
        this.#secrets.hideText(this.#withGroup(fillPlaceholders(value, replacements), received), name),
      ]);
  }

  /** A number or UUID of the group, as a part of a path. */
  #withGroup(value: string, received: Received): string {
    if (!succeeded(received)) return value;
    const placeholders = new Map<string, string>();
    for (const [field, placeholder] of Object.entries(this.#ofGroup))
      if (placeholder === "{number}" || placeholder === "{uuid}")
        placeholders.set(String(groupIn(received)[field]), placeholder);
    return value
      .split("/")
      .map((part) => placeholders.get(part) ?? part)
      .join("/");
  }

  /** How a response differs from what the mock would send. @param isText whether the body is not JSON */
  own(row: SituationId, exchange: Exchange, isText: boolean): LearnedHeaders {
    const found: LearnedHeaders = {};
    const headers = new Map(this.learnable(exchange));
    const sentByMock = mockHeaders(row, isText ? exchange.received.text : undefined);
    for (const [name, value] of headers) {
      const usual = this.common[headerName(name)] ?? sentByMock[name];
      if (value !== usual) found[headerName(name)] = value;
    }
    for (const name of Object.keys(this.common)) if (!headers.has(name.toLowerCase())) found[name] = null;
    for (const name of Object.keys(sentByMock)) if (!headers.has(name)) found[headerName(name)] = null;
    return found;
  }
}

/** What the mock sends by itself in a situation. @param text undefined: the body is JSON */
function mockHeaders(row: SituationId, text: string | undefined): Readonly<Record<string, string>> {
  const { code } = rowOf(row);
  return {
    ...(text === undefined ? ours : { "content-type": textType(text) }),
    ...(code === "unauthorized" && { "www-authenticate": "Token" }),
    ...(code === "method_not_allowed" && { allow: allowedMethods }),
  };
}

/** @example "WWW-Authenticate" */
export function headerName(name: string): string {
  if (name === "www-authenticate") return "WWW-Authenticate";
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
