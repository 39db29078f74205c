import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { isObject, type JsonObject, parseJson } from "../../../src/foundation/json.js";
import { plainServer } from "./plain-server.js";

/** What a service sends. A text is sent as it is. */
export interface Sent {
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface FieldError {
  readonly field: string;
  readonly why: string;
}

/** What is wrong with a request. */
export interface Wrong {
  readonly kind:
    | "unauthorized"
    | "not_found"
    | "method"
    | "no_body"
    | "json"
    | "type"
    | "object"
    | "field"
    | "token";
  /** Of an API token: missing, scheme, unknown. Of a field: missing, type, empty. Of a token: unknown, rotated, foreign. */
  readonly why: string;
  readonly field: string;
  /** All fields that are wrong. */
  readonly all: readonly FieldError[];
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly json: JsonObject;
  readonly req: IncomingMessage;
}

export interface StoredGroup {
  readonly id: number;
  readonly team_id: number;
  readonly provided_id: string;
  name: string;
  token: string;
  readonly mapping: unknown;
  readonly properties: unknown;
}

/** What the service knows about a request. */
interface SeenGroup {
  /** Undefined if the API token is unknown. */
  readonly team: number | undefined;
  readonly group: StoredGroup | undefined;
  readonly newToken: () => string;
}

/** What a service accepts, and what its responses look like. */
export interface Style {
  readonly reject: (wrong: Wrong, request: SeenRequest) => Sent;
  /** Statuses. */
  readonly created?: number;
  readonly rotated?: number;
  /** Fields beside those of the document. */
  readonly addToGroup?: (group: StoredGroup) => JsonObject;
  readonly addToBody?: () => JsonObject;
  readonly nameOptional?: boolean;
  readonly updates?: boolean;
  readonly acceptsNumbers?: boolean;
  readonly acceptsEmpty?: boolean;
  readonly acceptsAnyType?: boolean;
  readonly schemeInAnyCase?: boolean;
  /** Changes a response, or what is stored. */
  readonly deviate?: (correct: Sent, request: SeenRequest & SeenGroup) => Sent;
  /** Comes before everything else. "handled": it has responded itself. */
  readonly before?: (request: SeenRequest, res: ServerResponse) => Sent | "handled" | undefined;
}

/** Of the teams 7 and 8. */
export const apiTokens = ["api-token-of-one", "api-token-of-two"] as const;

function teamOf(apiToken: string): number | undefined {
  const index = apiTokens.map(String).indexOf(apiToken);
  return index < 0 ? undefined : 7 + index;
}

/** A service in a style, written without the mock. */
export function frameworkService(style: Style) {
  const groups: StoredGroup[] = [];
  const old = new Set<unknown>();
  const newToken = () => randomBytes(20).toString("hex");

  const problemsIn = (body: JsonObject, field: string, isText: boolean, isNeeded: boolean): FieldError[] => {
    const value = body[field];
    if (value === undefined) return isNeeded ? [{ field, why: "missing" }] : [];
    const isNumber = style.acceptsNumbers && typeof value === "number";
    if (isText ? typeof value !== "string" && !isNumber : !isObject(value)) return [{ field, why: "type" }];
    return value === "" && !style.acceptsEmpty ? [{ field, why: "empty" }] : [];
  };

  const show = (group: StoredGroup) => {
    const { team_id, token, name, provided_id } = group;
    return { team_id, token, name, provided_id, ...style.addToGroup?.(group) };
  };

  const respond = (raw: string, request: SeenRequest): Sent => {
    const { method, path, headers, json: body } = request;
    const reject = (kind: Wrong["kind"], why = "", all: readonly FieldError[] = []) =>
      style.reject({ kind, why, field: all[0]?.field ?? "", all }, request);
    if (path !== "/api/user") return reject("not_found");
    if (method !== "GET" && method !== "POST") return reject("method");
    if (headers.authorization === undefined) return reject("unauthorized", "missing");
    const [scheme = "", apiToken = ""] = headers.authorization.split(" ");
    if (
      (style.schemeInAnyCase ? scheme.toLowerCase() : scheme) !== (style.schemeInAnyCase ? "token" : "Token")
    )
      return reject("unauthorized", "scheme");
    const team = teamOf(apiToken);
    if (team === undefined) return reject("unauthorized", "unknown");
    if (raw === "") return reject("no_body");
    if (!style.acceptsAnyType && !headers["content-type"]?.startsWith("application/json"))
      return reject("type");
    const parsed = parseJson(raw);
    if (parsed === undefined) return reject("json");
    if (!isObject(parsed)) return reject("object");
    const id = `${body.user_group_id}`;
    const found = groups.find(({ team_id, provided_id }) => team_id === team && provided_id === id);
    const problems =
      method === "GET"
        ? [
            ...problemsIn(body, "user_group_id", true, true),
            ...problemsIn(body, "name", true, !style.nameOptional && !found),
            ...problemsIn(body, "mapping", false, false),
            ...problemsIn(body, "properties", false, false),
          ]
        : [...problemsIn(body, "current_token", true, true), ...problemsIn(body, "filename", true, false)];
    const [first] = problems;
    if (first) return reject("field", first.why, problems);
    if (method === "POST") {
      const token = `${body.current_token}`;
      const group = groups.find((one) => one.token === token);
      if (!group) return reject("token", old.has(token) ? "rotated" : "unknown");
      if (group.team_id !== team) return reject("token", "foreign");
      old.add(token);
      group.token = newToken();
      const rotated = { success: 1, user_group: show(group), ...style.addToBody?.() };
      return { status: style.rotated ?? 200, body: rotated };
    }
    const { name = id, mapping = {}, properties = {} } = body;
    const made = { team_id: team, provided_id: id, name: `${name}`, token: newToken(), mapping, properties };
    const group = found ?? { id: groups.length + 1, ...made };
    if (!found) groups.push(group);
    else if (style.updates && body.name !== undefined) group.name = made.name;
    const sent = { success: 1, new_user_group: !found, user_group: show(group), ...style.addToBody?.() };
    return { status: found ? 200 : (style.created ?? 200), body: sent };
  };

  return plainServer(async (req, res) => {
    const raw = await text(req);
    const { method = "", url = "/", headers } = req;
    const parsed = parseJson(raw);
    const json = isObject(parsed) ? parsed : {};
    const request = { method, path: url.split("?")[0] ?? "", headers, json, req };
    const [, apiToken = ""] = (headers.authorization ?? "").split(" ");
    const team = teamOf(apiToken);
    const named = ({ team_id, provided_id, token }: StoredGroup) =>
      method === "POST"
        ? token === `${json.current_token}`
        : team_id === team && provided_id === json.user_group_id;
    const seen = { ...request, team, group: groups.find(named), newToken };
    const correct = style.before?.(request, res) ?? respond(raw, request);
    const sent = correct === "handled" ? correct : (style.deviate?.(correct, seen) ?? correct);
    if (sent === "handled") return;
    const { status, body, type = typeof body === "string" ? "text/html" : "application/json" } = sent;
    res.writeHead(status, { "Content-Type": type, ...sent.headers });
    res.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}
