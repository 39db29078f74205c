// Restify with its errors, and a text for clients that ask for one.
import { randomBytes } from "node:crypto";
import restify from "restify";
import errors from "restify-errors";

const { BadRequestError, ConflictError, NotFoundError, UnauthorizedError } = errors;
const { env } = process;
const teams = {
  [env.API_TOKEN]: Number(env.TEAM_ID),
  [env.SECOND_API_TOKEN]: Number(env.SECOND_TEAM_ID),
};

const groups = new Map();
let numbers = 0;

const server = restify.createServer({
  name: "user-groups",
  formatters: {
    // An error as a line, where a client asks for text.
    "text/plain": (_req, _res, body) =>
      body instanceof Error ? `${body.message}\n` : `${JSON.stringify(body, undefined, 2)}\n`,
  },
});
server.use(restify.plugins.acceptParser(server.acceptable));
server.use(restify.plugins.bodyParser({ requestBodyOnGet: true, mapParams: false }));
server.use((req, _res, next) => {
  const [scheme, token] = (req.header("authorization") ?? "").split(" ");
  if (scheme !== "Token") return next(new UnauthorizedError("API token required"));
  req.team = teams[token];
  return req.team === undefined ? next(new UnauthorizedError("API token not accepted")) : next();
});

function checkGroup({ user_group_id, name, mapping, properties }) {
  if (user_group_id === undefined || user_group_id === null || user_group_id === "") {
    return "user_group_id is missing";
  }
  if (typeof user_group_id !== "string" && typeof user_group_id !== "number")
    return "user_group_id is not a string";
  if (String(user_group_id).length > 50) return "user_group_id is longer than 50 characters";
  if (/[\s<>"'/\\]/.test(String(user_group_id)))
    return "user_group_id has spaces, quotes, slashes or brackets";
  if (name !== undefined && typeof name !== "string") return "name is not a string";
  if (name !== undefined && name.length > 100) return "name is longer than 100 characters";
  for (const [field, value] of Object.entries({ mapping, properties })) {
    if (value !== undefined && (typeof value !== "object" || value === null))
      return `${field} is not an object`;
  }
  return undefined;
}

const show = ({ number, team_id, token, name, provided_id }) => ({
  number,
  team_id,
  token,
  name,
  provided_id,
});

server.get("/api/user", (req, res, next) => {
  const body = req.body ?? {};
  const problem = checkGroup(body);
  if (problem !== undefined) return next(new BadRequestError(problem));
  const id = String(body.user_group_id);
  // Ids are those of a directory, which ignores case.
  const key = `${req.team}:${id.toLowerCase()}`;
  const found = groups.get(key);
  if (found === undefined) {
    numbers += 1;
    const { name = id, mapping = {}, properties = {} } = body;
    const group = { number: numbers, team_id: req.team, provided_id: id, name, mapping, properties };
    group.token = randomBytes(12).toString("hex");
    groups.set(key, group);
    res.send(201, { success: 1, new_user_group: true, user_group: show(group) });
    return next();
  }
  if (body.mapping !== undefined && JSON.stringify(body.mapping) !== JSON.stringify(found.mapping)) {
    return next(new ConflictError("user group %s has another mapping", found.provided_id));
  }
  if (body.name) found.name = body.name;
  Object.assign(found.properties, body.properties);
  res.send(200, { success: 1, new_user_group: false, user_group: show(found) });
  return next();
});

server.post("/api/user", (req, res, next) => {
  const { current_token: token } = req.body ?? {};
  if (!token) return next(new BadRequestError("current_token is missing"));
  const group = [...groups.values()].find((one) => one.team_id === req.team && one.token === token);
  if (group === undefined) return next(new NotFoundError("token does not belong to a user group"));
  group.token = randomBytes(12).toString("hex");
  res.send(200, { success: 1, user_group: show(group) });
  return next();
});

server.opts("/api/user", (_req, res, next) => {
  res.header("Allow", "GET, POST, OPTIONS");
  res.send(204);
  return next();
});

// All errors say what the interface says of a call that failed.
server.on("restifyError", (_req, _res, error, callback) => {
  const { code } = error.body ?? {};
  error.toJSON = () => ({ success: 0, code: code ?? "Internal", message: error.message });
  callback();
});

server.listen(Number(env.PORT), "127.0.0.1");
