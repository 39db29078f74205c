import { servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { Sent } from "./exchanges.js";

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
