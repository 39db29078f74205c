// Depends on rotated-token.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startMock } from "usergroup-mock";
import { patient, sturdy } from "./customers.cjs";

let mock;
before(async () => {
  mock = await startMock();
});
after(() => mock.stop());

describe("a customer", { concurrency: true }, () => {
  it("has a token", async () => {
    const { url, apiToken } = mock.world("patient");
    assert.match(await patient(url, apiToken).tokenOf("acme"), /^[0-9a-f]{64}$/);
  });

  it("gets another token", async () => {
    const { url, apiToken } = mock.world("sturdy");
    const { tokenOf, renewToken } = sturdy(url, apiToken);
    const token = await tokenOf("acme");
    assert.notEqual(await renewToken("acme", token), token);
  });
});
