// Express 5 with zod: create or update, tokens are UUIDs, `name` is needed once.
import { randomUUID } from "node:crypto";
import express from "express";
import { z } from "zod";

const { PORT, API_TOKEN, TEAM_ID, SECOND_API_TOKEN, SECOND_TEAM_ID } = process.env;
const teams = new Map([
  [API_TOKEN, Number(TEAM_ID)],
  [SECOND_API_TOKEN, Number(SECOND_TEAM_ID)],
]);

const getOrCreateBody = z.object({
  user_group_id: z.string().min(1).max(64),
  name: z.string().min(1).max(120).optional(),
  mapping: z.record(z.string(), z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

const rotateBody = z.object({ current_token: z.uuid(), filename: z.string().optional() });

class ApiError extends Error {
  constructor(status, message, issues) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

const groups = [];

function authenticate(req, _res, next) {
  const [scheme, token] = (req.get("authorization") ?? "").split(" ");
  if (scheme !== "Token" || !teams.has(token)) throw new ApiError(401, "Unauthorized");
  req.teamId = teams.get(token);
  next();
}

function validate(schema) {
  return (req, _res, next) => {
    const result = schema.safeParse(req.body);
    if (!result.success) throw new ApiError(400, "Validation failed", result.error.issues);
    req.valid = result.data;
    next();
  };
}

function present({ id, teamId, token, name, providedId, createdAt }) {
  return { id, team_id: teamId, token, name, provided_id: providedId, created_at: createdAt };
}

const app = express();
app.use(express.json());

app.get("/api/user", authenticate, validate(getOrCreateBody), (req, res) => {
  const { user_group_id: providedId, ...fields } = req.valid;
  const existing = groups.find((one) => one.teamId === req.teamId && one.providedId === providedId);
  if (existing) {
    Object.assign(existing, fields);
    res.json({ success: 1, new_user_group: false, user_group: present(existing) });
    return;
  }
  if (!fields.name) throw new ApiError(422, "name is required to create a user group");
  const group = {
    id: groups.length + 1,
    teamId: req.teamId,
    providedId,
    token: randomUUID(),
    createdAt: new Date().toISOString(),
    ...fields,
  };
  groups.push(group);
  res.status(201).json({ success: 1, new_user_group: true, user_group: present(group) });
});

app.post("/api/user", authenticate, validate(rotateBody), (req, res) => {
  const group = groups.find((one) => one.teamId === req.teamId && one.token === req.valid.current_token);
  if (!group) throw new ApiError(404, "User group not found");
  group.token = randomUUID();
  res.json({ success: 1, user_group: present(group) });
});

// Express knows an error handler by its four parameters.
app.use((error, _req, res, _next) => {
  const { status = 500, message, issues } = error;
  res.status(status).json({ success: 0, error: message, ...(issues && { issues }) });
});

app.listen(Number(PORT), "127.0.0.1");
