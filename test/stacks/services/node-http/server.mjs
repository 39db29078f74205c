// Plain node:http, checks by hand, and a code for each problem.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";

const { env } = process;
const teams = new Map([
  [env.API_TOKEN, Number(env.TEAM_ID)],
  [env.SECOND_API_TOKEN, Number(env.SECOND_TEAM_ID)],
]);

/** Groups by team and id. */
const groups = new Map();
/** Groups by their current token. */
const byToken = new Map();

class ApiError extends Error {
  constructor(status, code, message, field) {
    super(message);
    Object.assign(this, { status, code, field });
  }
}

const invalid = (field, code, message) => new ApiError(422, code, message, field);

function authenticate(request) {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  if (scheme !== "Token" || !token) {
    throw new ApiError(401, "AUTH_REQUIRED", "Send the header Authorization: Token <API token>.");
  }
  const team = teams.get(token);
  if (team === undefined) throw new ApiError(403, "AUTH_INVALID", "This API token is not known.");
  return team;
}

async function readBody(request) {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("application/json")) {
    throw new ApiError(415, "UNSUPPORTED_MEDIA_TYPE", "Send application/json.");
  }
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  if (text === "") throw new ApiError(400, "EMPTY_BODY", "The body is empty.");
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(400, "INVALID_JSON", "The body is not valid JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError(400, "INVALID_BODY", "The body must be an object.");
  }
  return body;
}

function checkId(id) {
  if (id === undefined) throw invalid("user_group_id", "ID_MISSING", "user_group_id is required.");
  if (typeof id !== "string") throw invalid("user_group_id", "ID_TYPE", "user_group_id must be a string.");
  if (id.length > 32) throw invalid("user_group_id", "ID_TOO_LONG", "user_group_id can have 32 characters.");
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id)) {
    throw invalid("user_group_id", "ID_FORMAT", `user_group_id "${id}" has characters that are not allowed.`);
  }
  return id;
}

function checkName(name) {
  if (name === undefined) throw invalid("name", "NAME_MISSING", "name is required.");
  if (typeof name !== "string") throw invalid("name", "NAME_TYPE", "name must be a string.");
  const trimmed = name.trim();
  if (trimmed.length < 2 || trimmed.length > 60) {
    throw invalid("name", "NAME_LENGTH", "name must have 2 to 60 characters.");
  }
  return trimmed;
}

function checkObject(value, field, isValue) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(field, "NOT_AN_OBJECT", `${field} must be an object.`);
  }
  const wrong = Object.entries(value).find(([, inner]) => !isValue(inner));
  if (wrong !== undefined) throw invalid(field, "INVALID_VALUE", `${field}.${wrong[0]} must be a string.`);
  return value;
}

function getOrCreate(team, body) {
  const id = checkId(body.user_group_id);
  const key = `${team}/${id}`;
  const found = groups.get(key);
  if (found !== undefined) {
    // A group keeps its name; its data sources and properties can change.
    if (body.mapping !== undefined) found.mapping = checkObject(body.mapping, "mapping", isString);
    if (body.properties !== undefined)
      found.properties = checkObject(body.properties, "properties", () => true);
    return { status: 200, body: { success: 1, new_user_group: false, user_group: show(found) } };
  }
  const name = checkName(body.name);
  if (body.mapping === undefined) throw invalid("mapping", "MAPPING_MISSING", "mapping is required.");
  const mapping = checkObject(body.mapping, "mapping", isString);
  const properties = checkObject(body.properties ?? {}, "properties", () => true);
  if ([...groups.values()].some((one) => one.team_id === team && one.name === name)) {
    throw new ApiError(409, "NAME_TAKEN", `Another user group has the name ${name}.`, "name");
  }
  const group = { team_id: team, provided_id: id, name, mapping, properties, token: newToken() };
  groups.set(key, group);
  byToken.set(group.token, group);
  const headers = { Location: `/api/user/${id}` };
  return { status: 201, headers, body: { success: 1, new_user_group: true, user_group: show(group) } };
}

const isString = (value) => typeof value === "string";
const newToken = () => `ug_${randomBytes(18).toString("hex")}`;
const show = ({ team_id, token, name, provided_id }) => ({ team_id, token, name, provided_id });

/** Tokens that were replaced. */
const retired = new Set();

function rotate(team, { current_token: token }) {
  if (typeof token !== "string" || token === "") {
    throw new ApiError(400, "TOKEN_MISSING", "current_token is required.", "current_token");
  }
  const group = byToken.get(token);
  if (retired.has(token))
    throw new ApiError(410, "TOKEN_RETIRED", "This token was replaced.", "current_token");
  if (group === undefined || group.team_id !== team) {
    throw new ApiError(404, "TOKEN_UNKNOWN", "No user group has this token.", "current_token");
  }
  byToken.delete(token);
  retired.add(token);
  group.token = newToken();
  byToken.set(group.token, group);
  return { status: 200, body: { success: 1, user_group: show(group) } };
}

async function handle(request) {
  if (request.url.split("?")[0] !== "/api/user") {
    throw new ApiError(404, "NOT_FOUND", `There is no ${request.url}.`);
  }
  const operation = { GET: getOrCreate, POST: rotate }[request.method];
  if (operation === undefined)
    throw new ApiError(405, "METHOD_NOT_ALLOWED", `${request.method} is not allowed.`);
  const team = authenticate(request);
  return operation(team, await readBody(request));
}

function describeError(error) {
  if (!(error instanceof ApiError)) {
    console.error(error);
    return { status: 500, body: { success: 0, code: "INTERNAL", message: "Internal error." } };
  }
  const { status, code, message, field } = error;
  const headers = status === 405 ? { Allow: "GET, POST" } : {};
  return { status, headers, body: { success: 0, code, message, ...(field !== undefined && { field }) } };
}

createServer(async (request, response) => {
  const { status, headers, body } = await handle(request).catch(describeError);
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}).listen(Number(env.PORT), "127.0.0.1");
