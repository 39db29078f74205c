// Hapi 21 with joi: unknown fields are rejected, text is trimmed, a group that exists is merged with what is sent.
import { randomBytes } from "node:crypto";
import Boom from "@hapi/boom";
import Hapi from "@hapi/hapi";
import Joi from "joi";

const { PORT, API_TOKEN, TEAM_ID, SECOND_API_TOKEN, SECOND_TEAM_ID } = process.env;
const teams = new Map([
  [API_TOKEN, Number(TEAM_ID)],
  [SECOND_API_TOKEN, Number(SECOND_TEAM_ID)],
]);

const getOrCreateSchema = Joi.object({
  user_group_id: Joi.string().trim().max(128).required(),
  name: Joi.string().trim().max(100).allow(null),
  mapping: Joi.object().pattern(Joi.string(), Joi.string()).allow(null),
  properties: Joi.object().allow(null),
});

const rotateSchema = Joi.object({
  current_token: Joi.string().required(),
  filename: Joi.string(),
});

/** Hapi does not read the body of a GET, so that the route reads it itself. */
async function readBody(request) {
  const chunks = [];
  for await (const chunk of request.raw.req) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw Boom.badRequest("Invalid request payload JSON format");
  }
}

function validate(schema, payload) {
  const { error, value } = schema.validate(payload ?? {});
  if (error) throw Boom.badRequest(error.message);
  return value;
}

const groups = [];
const newToken = () => randomBytes(32).toString("hex");

function present({ teamId, tokens, name, id, mapping, properties }) {
  return { team_id: teamId, token: tokens[0], name, provided_id: id, mapping, properties };
}

const server = Hapi.server({ port: Number(PORT), host: "127.0.0.1" });

server.auth.scheme("api-token", () => ({
  authenticate(request, h) {
    const [scheme, token] = (request.headers.authorization ?? "").split(/\s+/);
    if (scheme.toLowerCase() !== "token") throw Boom.unauthorized(null, "Token");
    if (!teams.has(token)) throw Boom.unauthorized("Invalid token", "Token");
    return h.authenticated({ credentials: { teamId: teams.get(token) } });
  },
}));
server.auth.strategy("api-token", "api-token");
server.auth.default("api-token");

server.route({
  method: "GET",
  path: "/api/user",
  async handler(request) {
    const { teamId } = request.auth.credentials;
    const payload = validate(getOrCreateSchema, await readBody(request));
    const { user_group_id: id, name, mapping, properties } = payload;
    let group = groups.find((one) => one.teamId === teamId && one.id === id);
    const isNew = !group;
    if (!group) {
      group = { teamId, id, name: id, mapping: {}, properties: {}, tokens: [newToken()] };
      groups.push(group);
    }
    if (name) group.name = name;
    Object.assign(group.mapping, mapping);
    Object.assign(group.properties, properties);
    return { success: 1, new_user_group: isNew, user_group: present(group) };
  },
});

server.route({
  method: "POST",
  path: "/api/user",
  options: {
    validate: { payload: rotateSchema, failAction: (_request, _h, error) => Promise.reject(error) },
  },
  handler(request) {
    // A program that lost the response may repeat its request: the previous token works too.
    const { current_token: token } = request.payload;
    const group = groups.find(({ tokens }) => tokens.slice(0, 2).includes(token));
    if (!group) throw Boom.notFound("Unknown token");
    if (group.teamId !== request.auth.credentials.teamId) throw Boom.forbidden("Token of another team");
    group.tokens.unshift(newToken());
    return { success: 1, user_group: present(group) };
  },
});

server.ext("onPreResponse", (request, h) => {
  const { response } = request;
  if (response.isBoom) response.output.payload = { success: 0, ...response.output.payload };
  return h.continue;
});

await server.start();
