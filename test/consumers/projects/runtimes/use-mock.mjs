// Uses a mock in any runtime, without a test framework: none runs in all of them.
import assert from "node:assert/strict";
import { startMock } from "usergroup-mock";
import { getOrCreate } from "./program.cjs";

const mock = await startMock();
const created = await getOrCreate(mock.url, mock.apiToken, { user_group_id: "acme", name: "Acme" });
const rotated = await fetch(`${mock.url}/api/user`, {
  method: "POST",
  headers: { Authorization: `Token ${mock.apiToken}`, "Content-Type": "application/json" },
  body: JSON.stringify({ current_token: created.body.user_group.token }),
});
const journal = await mock.requests();
assert.deepEqual([created.status, rotated.status], [200, 200]);
assert.deepEqual(
  journal.map(({ effect, delivery }) => [effect, delivery]),
  [
    ["created", "complete"],
    ["rotated", "complete"],
  ],
);
await mock.stop();
await assert.rejects(fetch(mock.url));
console.log("stopped");
