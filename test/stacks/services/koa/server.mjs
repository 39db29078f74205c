// Koa 3 with validation of its own: ids without case, numbers become text, a changed name is a conflict.
import { randomBytes } from "node:crypto";
import { bodyParser } from "@koa/bodyparser";
import Router from "@koa/router";
import Koa from "koa";

const { PORT, API_TOKEN, TEAM_ID, SECOND_API_TOKEN, SECOND_TEAM_ID } = process.env;
const teams = { [API_TOKEN]: Number(TEAM_ID), [SECOND_API_TOKEN]: Number(SECOND_TEAM_ID) };

const groups = new Map();
const groupOfToken = new Map();

function newToken(group) {
  const token = `ugt_${randomBytes(16).toString("hex")}`;
  groupOfToken.set(token, group);
  return token;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function readText(ctx, field, { max }) {
  const value = ctx.request.body?.[field];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string" && typeof value !== "number") ctx.throw(400, `${field} must be a string`);
  const text = String(value);
  if (text.length > max) ctx.throw(400, `${field} is too long (maximum is ${max} characters)`);
  return text;
}

function readObject(ctx, field) {
  const value = ctx.request.body?.[field] ?? {};
  if (!isObject(value)) ctx.throw(400, `${field} must be an object`);
  return value;
}

const router = new Router();

router.get("/api/user", (ctx) => {
  const id = readText(ctx, "user_group_id", { max: 200 });
  const name = readText(ctx, "name", { max: 200 });
  const mapping = readObject(ctx, "mapping");
  const properties = readObject(ctx, "properties");
  if (id === undefined) ctx.throw(400, "user_group_id is required");

  const key = `${ctx.state.team}:${id.toLowerCase()}`;
  const existing = groups.get(key);
  if (existing) {
    if (name !== undefined && name !== existing.name) {
      ctx.throw(409, `user group ${existing.provided_id} already exists with another name`);
    }
    ctx.body = { success: 1, new_user_group: false, user_group: existing };
    return;
  }
  if (name === undefined) ctx.throw(400, "name is required");
  const group = { team_id: ctx.state.team, token: "", name, provided_id: id, mapping, properties };
  group.token = newToken(group);
  groups.set(key, group);
  ctx.status = 201;
  ctx.body = { success: 1, new_user_group: true, user_group: group };
});

router.post("/api/user", (ctx) => {
  const { current_token: token } = ctx.request.body ?? {};
  if (!token) ctx.throw(400, "current_token is required");
  // Tokens never end: dashboards that still have an old one must not break.
  const group = groupOfToken.get(token);
  if (group?.team_id !== ctx.state.team) ctx.throw(404, "unknown token");
  group.token = newToken(group);
  ctx.body = { success: 1, user_group: group };
});

const app = new Koa();

app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.status = error.status ?? 500;
    ctx.body = { success: 0, error: { status: ctx.status, message: error.message } };
  }
});
app.use(async (ctx, next) => {
  const [, token] = /^Token (.+)$/i.exec(ctx.get("Authorization")) ?? [];
  if (!teams[token]) {
    ctx.set("WWW-Authenticate", "Token");
    ctx.throw(401, "invalid API token");
  }
  ctx.state.team = teams[token];
  await next();
});
app.use(bodyParser({ enableTypes: ["json"], parsedMethods: ["GET", "POST"] }));
app.use(router.routes());
app.use(router.allowedMethods());

app.listen(Number(PORT), "127.0.0.1");
