// Polka and yup: values are converted, and all problems of a body are listed.
import { randomUUID } from "node:crypto";
import bodyParser from "body-parser";
import polka from "polka";
import * as yup from "yup";

const { env } = process;
const teams = {
  [env.API_TOKEN]: Number(env.TEAM_ID),
  [env.SECOND_API_TOKEN]: Number(env.SECOND_TEAM_ID),
};

const isObject = (value) => value === undefined || value?.constructor === Object;

const groupSchema = yup.object({
  user_group_id: yup
    .string()
    .trim()
    .required()
    .max(64)
    .matches(/^[\w:@.-]*$/, "user_group_id may contain letters, digits and _ : @ . -"),
  name: yup.string().trim().min(3).max(120).required(),
  mapping: yup.mixed().required().test("object", "mapping must be an object", isObject),
  properties: yup.mixed().test("object", "properties must be an object", isObject),
});

const lookupSchema = yup.object({
  user_group_id: yup.string().trim().required().max(64),
  name: yup.string().trim().min(3).max(120),
  mapping: yup.mixed().test("object", "mapping must be an object", isObject),
  properties: yup.mixed().test("object", "properties must be an object", isObject),
});

const rotationSchema = yup
  .object({ current_token: yup.string().required() })
  // biome-ignore lint/suspicious/noTemplateCurlyInString: yup fills it in.
  .noUnknown("unexpected fields: ${unknown}")
  .strict();

const groups = [];

function json(res, status, body) {
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify(body));
}

/** A page for browsers, lines for programs that do not say what they accept, JSON for all others. */
function fail(req, res, status, errors) {
  const { accept } = req.headers;
  if (accept === undefined) {
    res.writeHead(status, { "Content-Type": "text/plain" });
    return res.end(`${errors.join("\n")}\n`);
  }
  if (!accept.startsWith("text/html")) return json(res, status, { success: 0, errors });
  res.writeHead(status, { "Content-Type": "text/html" });
  res.end(`<!doctype html><title>Error ${status}</title><h1>The request was rejected</h1>`);
}

function authenticate(req, res, next) {
  const match = /^Token (.+)$/.exec(req.headers.authorization ?? "");
  const team = match === null ? undefined : teams[match[1]];
  if (team === undefined) {
    res.setHeader("WWW-Authenticate", 'Token realm="user groups"');
    return fail(req, res, 401, ["Invalid or missing API token"]);
  }
  req.team = team;
  next();
}

const options = { abortEarly: false };
const show = ({ id, team_id, token, name, provided_id }) => ({ id, team_id, token, name, provided_id });

async function getOrCreate(req, res) {
  const sentId = String(req.body?.user_group_id).trim();
  const group = groups.find((one) => one.team_id === req.team && one.provided_id === sentId);
  if (group !== undefined) {
    const { name, mapping, properties } = await lookupSchema.validate(req.body, options);
    if (name !== undefined) group.name = name;
    group.mapping = { ...group.mapping, ...mapping };
    if (properties !== undefined) group.properties = properties;
    return json(res, 200, { success: 1, new_user_group: false, user_group: show(group) });
  }
  const { user_group_id, ...fields } = await groupSchema.validate(req.body, options);
  const created = {
    id: randomUUID(),
    team_id: req.team,
    provided_id: user_group_id,
    token: randomUUID(),
    previous: undefined,
    ...fields,
  };
  groups.push(created);
  json(res, 200, { success: 1, new_user_group: true, user_group: show(created) });
}

async function rotate(req, res) {
  const { current_token: token } = await rotationSchema.validate(req.body, options);
  // The token before works until the next rotation, so that dashboards that are open go on.
  const group = groups.find(
    (one) => one.team_id === req.team && (one.token === token || one.previous === token),
  );
  if (group === undefined) return fail(req, res, 404, ["User group not found"]);
  group.previous = group.token;
  group.token = randomUUID();
  json(res, 200, { success: 1, user_group: show(group) });
}

/** Polka does not wait for promises. */
const handled = (handler) => (req, res, next) => handler(req, res).catch(next);

function onError(error, req, res) {
  if (error instanceof yup.ValidationError) return fail(req, res, 422, error.errors);
  fail(req, res, error.status ?? 500, [error.status ? error.message : "Internal error"]);
}

polka({ onError })
  .use(bodyParser.json(), authenticate)
  .get("/api/user", handled(getOrCreate))
  .post("/api/user", handled(rotate))
  .listen(Number(env.PORT), "127.0.0.1");
