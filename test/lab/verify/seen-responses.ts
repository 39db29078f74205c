import { vi } from "vitest";
import type { JsonObject } from "../../../src/foundation/json.js";
import type { Named } from "../../../src/lab/verify/replay/name-responses.js";
import { GroupClient } from "../../../src/lab/verify/service/group-client.js";
import { type ReceivedResponse, readResponse } from "../../../src/lab/verify/service/received-response.js";
import type { Recorded } from "../../../src/lab/verify/service/recorded.js";
import { usualPatience } from "../../../src/lab/verify/service/retries.js";
import type { RequestOptions, Target } from "../../../src/lab/verify/service/service-client.js";

/** What a request sends. A text is sent as it is. */
export interface SentPart {
  readonly question?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: JsonObject | string;
  readonly authorization?: string;
  readonly inexpressible?: string;
  readonly hasSeveralMistakes?: boolean;
}

/** What a service sends. A text is sent as it is. */
export interface SeenPart {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function responseWith({ status = 200, body = "", headers }: SeenPart): ReceivedResponse {
  const isText = typeof body === "string";
  const type = isText ? "text/plain" : "application/json";
  const text = isText ? body : JSON.stringify(body);
  return readResponse({ status, headers: { "content-type": type, ...headers }, text });
}

/** A request of a run, with its response. */
export function recorded(sent: SentPart, seen: SeenPart): Recorded {
  const { question = "any", method = "GET", path = "/api/user", body = {}, ...more } = sent;
  const { authorization = "Token api-token", ...reasons } = more;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "Content-Type": "application/json", Authorization: authorization };
  return { question, request: { method, path, headers, text }, response: responseWith(seen), ...reasons };
}

/** The same, with the name of the response. */
export function named(
  name: string,
  sent: SentPart,
  seen: SeenPart,
  more: Partial<Pick<Named, "wrongField" | "mockHeaders">> = {},
): Named {
  return { ...recorded(sent, seen), name, wrongField: undefined, mockHeaders: undefined, ...more };
}

type Respond = (body: JsonObject, options: RequestOptions) => SeenPart;

/** A client whose requests get their responses from a function, and not from a server. */
export function scriptedService(respond: Respond, target: Partial<Target> = {}) {
  const patience = { ...usualPatience, backoffMs: 1 };
  const given = { baseUrl: "http://127.0.0.1:1", apiToken: "api-token", ...target };
  const service = new GroupClient(given, { patience });
  const sent: { readonly body: JsonObject; readonly options: RequestOptions }[] = [];
  vi.spyOn(service, "send").mockImplementation(async (body, options = {}) => {
    // As it would arrive: without what is undefined.
    const arrived: JsonObject = typeof body === "object" ? JSON.parse(JSON.stringify(body)) : {};
    sent.push({ body: arrived, options });
    return responseWith(respond(arrived, options));
  });
  return { service, sent };
}

/** A success of get-or-create. */
export function success(group: JsonObject, more: JsonObject = { new_user_group: true }): SeenPart {
  return { body: { success: 1, ...more, user_group: { team_id: 7, ...group } } };
}

export const rejected: SeenPart = { status: 422, body: { success: 0 } };
