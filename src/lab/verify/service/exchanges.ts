import { servicePath } from "../../../fake/contract/operations.js";
import { fieldOf, isObject, type JsonObject, parseJson } from "../../../foundation/json.js";

/** A request to the service. */
export interface Sent {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A text or bytes are sent as they are, anything else as JSON. Undefined: there is no body. */
  readonly body: unknown;
}

export interface Received {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
}

/** A request with its response. */
export interface Exchange {
  readonly sent: Sent;
  readonly received: Received;
}

/** The body as it goes over the wire. */
export function wireBody({ body }: Sent): string | Buffer | undefined {
  if (body === undefined || typeof body === "string" || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

/** A field of the JSON that was sent. */
export function sentField({ body }: Sent, name: string): unknown {
  return fieldOf(body, name);
}

/** @param origin of the service. In a header its URLs become paths: a test must not be redirected from a mock to it */
export function readResponse(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  text: string,
  origin: string,
): Received {
  const plain = Object.entries(headers).map(([name, value]) => {
    return [name, [value ?? ""].flat().join(", ").replaceAll(`${origin}/`, "/")];
  });
  const json = parseJson(text);
  // Digits or a word in quotes are JSON only if the type says so.
  const isJson = (typeof json === "object" && json !== null) || /json/i.test(`${headers["content-type"]}`);
  return { status, headers: Object.fromEntries(plain), text, json: isJson ? json : undefined };
}

/** Decided by `success` alone, also if it is "1" or true: that breaks a documented fact, and the run goes on. */
export function succeeded({ json }: Received): boolean {
  return Number(fieldOf(json, "success")) === 1;
}

export function isNewGroup({ json }: Received): boolean {
  return fieldOf(json, "new_user_group") === true;
}

/** The user group of a response, or an empty object. */
export function groupIn({ json }: Received): JsonObject {
  const group = fieldOf(json, "user_group");
  return isObject(group) ? group : {};
}

/** The Content-Type without its parameters. */
export function mediaType({ headers }: Received): string {
  return (headers["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase();
}

/** The service, and what is sent with each request. */
export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** Of another team. */
  readonly secondApiToken?: string | undefined;
  /** A valid body of get-or-create. */
  readonly sample?: JsonObject | undefined;
  /** What the user's program or a gateway sends, and the usual headers of an HTTP client. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a request differs from the usual one. */
export interface RequestOptions {
  readonly team?: 1 | 2;
  readonly method?: string;
  readonly path?: string;
  /** Undefined leaves one of the usual headers out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A request with the usual headers. */
export function makeRequest(
  target: Target,
  usualMethod: string,
  body: unknown,
  options: RequestOptions = {},
): Sent {
  const { team = 1, method = usualMethod, path = servicePath } = options;
  const apiToken = team === 1 ? target.apiToken : target.secondApiToken;
  const usual = { "Content-Type": "application/json", Authorization: `Token ${apiToken}` };
  const all = Object.entries({ ...target.headers, ...usual, ...options.headers });
  const headers = Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined));
  return { method, path, headers, body };
}
