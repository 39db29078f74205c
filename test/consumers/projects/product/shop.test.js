// Tests of the shop that fail, each for another reason. The table in test/consumers/product.ts has what must be said.
import { test } from "usergroup-mock/vitest";
import { beforeEach, describe, expect } from "vitest";
import { GroupClient } from "./group-client.mjs";
import { askBilling, nameOrFallback, renewInProcess, serveShop, sharedClient } from "./shop.mjs";

test("renews a cached token twice", async ({ mock }) => {
  const client = new GroupClient(mock);
  await client.ensure("acme");
  await client.renew("acme", { keepsCache: false });
  await client.renew("acme", { keepsCache: false });
});

test("counts 404 rows after an expected rejection", async ({ mock }) => {
  const client = new GroupClient(mock);
  const { status } = await client.send("POST", { current_token: "unknown" });
  expect(status).toBe(404);
  const rows = Array.from({ length: 404 });
  expect(rows.length).toBe(200);
});

test("counts 404 rows after a rejection that it ignores", async ({ mock }) => {
  const client = new GroupClient(mock);
  await client.send("POST", { current_token: "unknown" });
  const rows = Array.from({ length: 404 });
  expect(rows.length).toBe(200);
});

test("meets a 404 of billing after an expected rejection", async ({ mock }) => {
  const client = new GroupClient(mock);
  const { status } = await client.send("POST", { current_token: "unknown" });
  expect(status).toBe(404);
  await askBilling(404);
});

test("meets a 503 of billing after a retry that helped", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", status: 503 });
  await new GroupClient(mock, { retries: 1 }).ensure("acme");
  await askBilling(503);
});

test("compares a list of statuses", async ({ mock }) => {
  const client = new GroupClient(mock);
  const statuses = [];
  for (const id of ["acme", "", "beta"])
    statuses.push((await client.send("GET", { user_group_id: id, name: "A" })).status);
  expect(statuses).toEqual([200, 200, 200]);
});

test("arms a fault for a group that is never asked for", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", match: { user_group_id: "Acme" }, status: 503 });
  expect(await nameOrFallback(new GroupClient(mock), "acme")).toBe("a customer");
});

test("arms a fault for more attempts than its client makes", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", status: 503, times: 3 });
  expect(await nameOrFallback(new GroupClient(mock, { retries: 1 }), "acme")).toBe("acme");
});

test("meets an outage in all attempts", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", status: 503, times: 3 });
  await new GroupClient(mock, { retries: 2 }).ensure("acme");
});

test("loses the connection in all attempts", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", reset: true, times: "always" });
  await new GroupClient(mock, { retries: 3 }).ensure("acme");
});

test("opens its circuit after an outage", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", status: 503, times: 2 });
  const client = new GroupClient(mock, { breakAfter: 2 });
  for (let n = 0; n < 2; n++) await client.ensure("acme").catch(() => {});
  await client.ensure("acme");
});

describe("one client for all tests", () => {
  // This one passes.
  test("opens the shop", async ({ mock }) => {
    await sharedClient(mock).ensure("acme");
  });

  test("uses the client of the test before", async ({ mock }) => {
    await sharedClient(mock).ensure("beta");
    expect(await mock.requests()).toHaveLength(1);
  });
});

test("throws before its first request", async ({ mock }) => {
  const settings = JSON.parse('{ "groups": null }');
  await new GroupClient(mock).ensure(settings.groups.first);
});

describe("with a hook that fails", () => {
  beforeEach(({ mock }) => {
    if (mock.url !== "") throw new Error("the database of the shop is not running");
  });

  test("never begins", async ({ mock }) => {
    await new GroupClient(mock).ensure("acme");
  });
});

test("sends a number in a mapping", async ({ mock }) => {
  await new GroupClient(mock).ensure("acme", { mapping: { 40: 213 } });
});

test("renames a group that exists", async ({ mock }) => {
  const client = new GroupClient(mock);
  await client.ensure("acme", { name: "Acme" });
  const { name } = await client.ensure("acme", { name: "Acme Ltd" });
  expect(name).toBe("Acme Ltd");
});

test("expects another reason of a rejection", async ({ mock }) => {
  const client = new GroupClient(mock);
  await client.ensure("acme");
  await client.renew("acme", { keepsCache: false });
  await expect(client.renew("acme")).rejects.toThrow("expired");
});

test("wraps a rejection without its cause", async ({ mock }) => {
  const client = new GroupClient(mock);
  await client.ensure("", { name: "A" }).catch(() => {
    throw new Error("the customer was not saved");
  });
});

test("fails for its own reason after a rejection inside the program", async ({ mock }) => {
  expect(await nameOrFallback(new GroupClient(mock), "")).toBe("a customer");
  throw new Error("Order 7 is not payable");
});

test("renews one token in two processes", async ({ mock }) => {
  const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
  const held = await mock.hold({ operation: "rotate", times: 2 });
  const renewing = Promise.all([renewInProcess(mock, token), renewInProcess(mock, token)]);
  await held.arrived();
  await held.release();
  await renewing;
}, 20_000);

test("gives up in all attempts", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", delayMs: 20_000, times: 2 });
  await new GroupClient(mock, { timeoutMs: 200, retries: 1 }).ensure("acme");
});

test("does not await a renewal", async ({ mock }) => {
  const client = new GroupClient(mock);
  await client.ensure("acme");
  void client.renew("acme");
  const [group] = (await mock.groups()).filter(({ provided_id }) => provided_id === "acme");
  expect(group.rotations).toBe(1);
});

test("gets a 502 of the shop whose request was rejected", async ({ mock }) => {
  const shop = await serveShop(mock);
  const { status } = await shop.open({ id: "acme", fields: { name: "" } });
  shop.close();
  expect(status).toBe(200);
});

test("quotes the whole response", async ({ mock }) => {
  const client = new GroupClient(mock);
  const { json } = await client.send("GET", { user_group_id: "acme", name: "A", mapping: { 40: 7 } });
  await client.ensure("beta");
  throw new Error(`unexpected response: ${JSON.stringify(json)}`);
});

test("sends a mapping of many numbers", async ({ mock }) => {
  const mapping = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [n + 1, n]));
  await new GroupClient(mock).ensure("acme", { mapping });
});
