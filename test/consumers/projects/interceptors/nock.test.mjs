import assert from "node:assert/strict";
import { test } from "node:test";
import nock from "nock";
import { useMock } from "usergroup-mock/node-test";
import { getOrCreate } from "./program.cjs";

const mock = useMock();

nock.disableNetConnect();
if (process.env.ALLOWED === "1") nock.enableNetConnect("127.0.0.1");

test("creates a group while nock is active", async () => {
  nock("http://other.test").get("/").reply(204);
  const { status } = await getOrCreate(mock.url, mock.apiToken, { user_group_id: "a", name: "A" });
  assert.equal(status, 200);
});
