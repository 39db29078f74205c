// The user's tests: they depend on created-status, existing-group and rotated-token. old-token, failure-status
// and failure-body decide responses too, but the tests pass under all their values. Other assumptions decide nothing.
import assert from "node:assert/strict";
import { openGroup, renewToken } from "./customers.js";

const service = {
  baseUrl: process.env.USERGROUP_MOCK_URL,
  apiToken: process.env.USERGROUP_MOCK_API_TOKEN,
};

const { token, name } = await openGroup(service, "customer-7", "Customer 7");
assert.equal(name, "Customer 7");

const found = await openGroup(service, "customer-7", "Renamed");
assert.equal(found.token, token);
assert.equal(found.name, "Customer 7");

const renewed = await renewToken(service, "customer-7", "Customer 7", token);
assert.notEqual(renewed, token);

assert.ok(await renewToken(service, "customer-7", "Customer 7", token));
