// Tests of the user's program, without a framework.
import assert from "node:assert/strict";
import { createUserGroup, rotateToken } from "./my-program.js";

const service = {
  baseUrl: process.env.USERGROUP_MOCK_URL,
  apiToken: process.env.USERGROUP_MOCK_API_TOKEN,
  timeoutMs: 500,
  id: "a",
};
const { token } = await createUserGroup(service);
assert.notEqual(await rotateToken({ ...service, token }), token);
