import { expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { World } from "../../src/client/world.js";
import { call, create, getOrCreate, rotate } from "../call.js";

/** The lines about requests, below what is known of the failure. */
async function listed(mock: World): Promise<string[]> {
  const text = await mock.describe();
  return text
    .slice(text.lastIndexOf("\n\n") + 1)
    .trim()
    .split("\n");
}

it("describe() names the fault that a pending request waits in", async () => {
  await using mock = await startMock();
  const held = await mock.hold();
  const waiting = create(mock.url, "a");
  await held.arrived();
  expect(await mock.describe()).toBe(
    `#1 waits in the hold of any request; \`release()\` was not called.
Fault 1 (hold any request) fired 1 of 1.

#1 GET /api/user {"user_group_id":"a","name":"a"} → no response yet: it waits in the hold of any request`,
  );
  await held.release();
  await waiting;
});

it("describe() has the cause of a rejection, and tokens shortened to what tells them apart", async () => {
  await using mock = await startMock();
  const { token } = (await create(mock.url, "acme")).body.user_group;
  await rotate(mock.url, token);
  await rotate(mock.url, token);
  const [created = "", rotated = "", stale = ""] = await listed(mock);
  const short = `${token.slice(0, 6)}…`;
  expect(created).toContain(`"token":"${short}"`);
  expect(rotated).toContain(`{"current_token":"${short}"} → 200`);
  expect(stale).toBe(
    `#3 POST /api/user {"current_token":"${short}"} → 404 unknown_token: The current_token was rotated out by request 2. Use the group's latest token.`,
  );
});

it("describe() shortens two tokens that begin alike to different texts", async () => {
  const [one, other] = [`${"a".repeat(8)}b${"0".repeat(55)}`, `${"a".repeat(8)}c${"0".repeat(55)}`];
  await using mock = await startMock();
  await mock.addGroup({ provided_id: "one", name: "One", token: one });
  await rotate(mock.url, one);
  await rotate(mock.url, other);
  const [found = "", unknown = ""] = await listed(mock);
  expect(found).toContain('{"current_token":"aaaaaaaab…"} → 200');
  expect(unknown).toContain('{"current_token":"aaaaaaaac…"} → 404');
});

it("describe() shows requests that failed, and those of the same group, and counts the others", async () => {
  await using mock = await startMock();
  const { token } = (await create(mock.url, "acme")).body.user_group;
  for (let n = 0; n < 30; n++) await create(mock.url, `g${n}`);
  await call("GET", `${mock.url}/nowhere`);
  await rotate(mock.url, token);
  for (let n = 0; n < 30; n++) await create(mock.url, `g${n}`);
  await rotate(mock.url, token);
  await create(mock.url, "acme");
  const lines = await listed(mock);
  expect(lines.map((line) => line.replace(/^(#\d+).* → (\d+).*/, "$1 $2"))).toEqual([
    "#1 200",
    "… 30 other requests, all successful",
    "#32 404",
    "#33 200",
    "… 30 other requests, all successful",
    "#64 404",
    "… 1 other request, all successful",
  ]);
});

it("describe() shows the rotation that explains a stale token, however many requests of the group follow", async () => {
  await using mock = await startMock();
  const { token } = (await create(mock.url, "acme")).body.user_group;
  await rotate(mock.url, token);
  for (let n = 0; n < 20; n++) await create(mock.url, "acme");
  await rotate(mock.url, token);
  const lines = (await listed(mock)).map((line) => line.slice(0, 3));
  expect([lines[1], lines.at(-1)]).toEqual(["#2 ", "#23"]);
});

it("describe() shows the last of many requests if all succeeded", async () => {
  await using mock = await startMock();
  for (let n = 0; n < 30; n++) await create(mock.url, `g${n}`);
  const lines = await listed(mock);
  expect([lines[0], lines.length]).toEqual(["… 20 other requests, all successful", 11]);
});

it("describe() counts how many of the requests that it leaves out succeeded", async () => {
  await using mock = await startMock();
  for (let n = 0; n < 12; n++) await call("GET", `${mock.url}/nowhere`);
  for (let n = 0; n < 12; n++) await create(mock.url, `g${n}`);
  const lines = await listed(mock);
  expect([lines[0], lines.at(-1)]).toEqual([
    "… 2 other requests, 0 successful",
    "… 12 other requests, all successful",
  ]);
});

it("describe() has a remark once, though the cause has it as advice", async () => {
  await using mock = await startMock();
  await getOrCreate(mock.url, { user_groupid: "acme", name: "Acme" });
  expect((await mock.describe()).match(/did you mean/g)).toHaveLength(1);
});

it("describe() has lines of at most 400 characters, and the cause in them", async () => {
  await using mock = await startMock();
  const mapping = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [n, n]));
  await getOrCreate(mock.url, { user_group_id: "x".repeat(900), name: "Acme", mapping });
  const lines = (await mock.describe()).split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(400);
  expect((await listed(mock))[0]).toContain("→ 400 invalid_body: Invalid body");
});

it("describe() reports that no request has reached the world", async () => {
  await using mock = await startMock();
  expect(await mock.describe()).toBe("No request has reached this world.");
});
