// Fastify 5 with JSON schemas: its validator converts types and removes unknown fields unless told otherwise.
import { randomBytes, randomUUID } from "node:crypto";
import Fastify from "fastify";

const { PORT, API_TOKEN, TEAM_ID, SECOND_API_TOKEN, SECOND_TEAM_ID } = process.env;
const teams = new Map([
  [API_TOKEN, Number(TEAM_ID)],
  [SECOND_API_TOKEN, Number(SECOND_TEAM_ID)],
]);

const userGroup = {
  type: "object",
  properties: {
    id: { type: "string" },
    team_id: { type: "integer" },
    token: { type: "string" },
    name: { type: "string" },
    provided_id: { type: "string" },
  },
};

const getOrCreate = {
  body: {
    type: "object",
    required: ["user_group_id", "name"],
    additionalProperties: false,
    properties: {
      user_group_id: { type: "string", minLength: 1, maxLength: 255 },
      name: { type: "string", maxLength: 255 },
      mapping: { type: "object", additionalProperties: { type: "string" } },
      properties: { type: "object" },
    },
  },
  response: {
    200: {
      type: "object",
      properties: {
        success: { type: "integer" },
        new_user_group: { type: "boolean" },
        user_group: userGroup,
      },
    },
  },
};

const rotate = {
  body: {
    type: "object",
    required: ["current_token"],
    properties: { current_token: { type: "string" }, filename: { type: "string" } },
  },
  response: {
    200: { type: "object", properties: { success: { type: "integer" }, user_group: userGroup } },
  },
};

class HttpError extends Error {
  constructor(statusCode, code, message) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}

// A HEAD cannot have the body that a GET has here.
const app = Fastify({ exposeHeadRoutes: false });
app.addHttpMethod("GET", { hasBody: true, overrideExisting: true });
app.decorateRequest("teamId", 0);

const groups = new Map();
const keyOf = (teamId, id) => `${teamId}/${id}`;
const newToken = () => randomBytes(24).toString("base64url");

app.register(async (api) => {
  api.addHook("onRequest", async (request) => {
    const match = /^Token (\S+)$/.exec(request.headers.authorization ?? "");
    if (!match) throw new HttpError(401, "MISSING_API_TOKEN", "Missing or malformed Authorization header");
    if (!teams.has(match[1])) throw new HttpError(401, "INVALID_API_TOKEN", "Invalid API token");
    request.teamId = teams.get(match[1]);
  });

  api.get("/api/user", { schema: getOrCreate }, async (request) => {
    const { user_group_id: id, name, mapping = {}, properties = {} } = request.body;
    const key = keyOf(request.teamId, id);
    const isNew = !groups.has(key);
    if (isNew) {
      const fields = { id: randomUUID(), team_id: request.teamId, token: newToken(), name, provided_id: id };
      groups.set(key, { ...fields, mapping, properties });
    }
    return { success: 1, new_user_group: isNew, user_group: groups.get(key) };
  });

  api.post("/api/user", { schema: rotate }, async (request) => {
    const { current_token: token } = request.body;
    const group = [...groups.values()].find((one) => one.token === token && one.team_id === request.teamId);
    if (!group) throw new HttpError(404, "TOKEN_NOT_FOUND", "No user group has this token");
    group.token = newToken();
    return { success: 1, user_group: group };
  });
});

app.setErrorHandler((error, _request, reply) => {
  const { statusCode = 500, code, message } = error;
  reply.status(statusCode).send({ success: 0, code, message });
});

await app.listen({ port: Number(PORT), host: "127.0.0.1" });
