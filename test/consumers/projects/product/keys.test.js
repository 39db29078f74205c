// Tests of the keys that fail, each for another reason. The table in test/consumers/product.ts has what must be said.
import assert from "node:assert/strict";
import { test } from "usergroup-mock/vitest";
import { beforeEach, describe, expect } from "vitest";
import {
  call,
  callPatiently,
  changeInProcess,
  charge,
  importCustomers,
  KeyRing,
  openLedger,
  summary,
} from "./key-ring.mjs";

const customer = (id, fields = {}) => ({ user_group_id: id, name: "Acme", ...fields });

function expectOk(response) {
  expect(response.status).toBe(200);
}

test("changes a key whose response is lost", async ({ mock }) => {
  const ring = new KeyRing(mock);
  await ring.key("acme");
  await mock.fault({ operation: "rotate", phase: "after", reset: true });
  await ring.change("acme");
});

test("adds up wrongly after it has recovered", async ({ mock }) => {
  const ring = new KeyRing(mock);
  await ring.change("acme");
  await ring.changeSafely("acme");
  expect([1, 1].length).toBe(3);
});

test("cannot reach port 404 of a printer", async ({ mock }) => {
  await call(mock, "POST", { current_token: "unknown" });
  throw new Error("connect ECONNREFUSED 10.0.0.1:404");
});

test("has its card declined after a rejection inside the program", async ({ mock }) => {
  await importCustomers(mock, [{ id: "acme", name: "" }]);
  await charge();
});

test("expects a rejection that does not come", async ({ mock }) => {
  const { status } = await call(mock, "GET", customer("acme"));
  expect(status).toBe(404);
});

test("misspells the mapping", async ({ mock }) => {
  await call(mock, "GET", customer("acme", { maping: { 40: "7" } }));
  const [group] = (await mock.groups()).filter(({ provided_id }) => provided_id === "acme");
  expect(group.mapping).toEqual({ 40: "7" });
});

test("waits for a hold that nobody releases", async ({ mock }) => {
  await mock.hold({ operation: "get-or-create" });
  await new KeyRing(mock).key("acme");
}, 800);

test("arms a fault for the second change of one", async ({ mock }) => {
  await mock.fault({ operation: "rotate", status: 500, skip: 1 });
  expect((await summary(new KeyRing(mock), "acme")).status).toBe(500);
});

test("arms two faults, of which one fires", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", status: 503 });
  await mock.fault({ operation: "rotate", status: 429 });
  await call(mock, "GET", customer("acme"));
  expect("closed").toBe("open");
});

test("imports one customer less", async ({ mock }) => {
  const customers = ["a", "b", "c"].map((id) => ({ id, name: id === "b" ? "" : id }));
  expect(await importCustomers(mock, customers)).toBe(3);
});

test("starts a process with another URL", async ({ mock }) => {
  const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
  await changeInProcess({ url: "http://127.0.0.1:9", apiToken: mock.apiToken }, token);
}, 20_000);

test("refreshes in the background", async ({ mock }) => {
  await call(mock, "GET", customer("beta"));
  void call(mock, "GET", customer("acme"));
  expect(await mock.requests()).toHaveLength(2);
});

test("shows the summary of a stale key", async ({ mock }) => {
  const ring = new KeyRing(mock);
  await summary(ring, "acme");
  expect(await summary(ring, "acme")).toMatchObject({ customer: "acme", status: 200 });
});

test("asserts a status on several lines", async ({ mock }) => {
  const response = await call(mock, "GET", customer("acme", { mapping: { 40: 7 } }));
  assert.equal(response.status, 200);
});

test("asserts a status in a function", async ({ mock }) => {
  const token = "unknown-token";
  expectOk(await call(mock, "POST", { current_token: token }));
});

test("is rate limited for ever", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", status: 429, times: "always" });
  await callPatiently(mock, "GET", customer("acme"));
});

test("gets broken JSON", async ({ mock }) => {
  await mock.fault({ operation: "get-or-create", malformed: true });
  await new KeyRing(mock).key("acme");
});

test("checks its faults at the end", async ({ mock }) => {
  await mock.fault({ operation: "rotate", status: 503 });
  await new KeyRing(mock).key("acme");
  await mock.assertFaultsFired();
});

test("changes the key of another team", async ({ mock }) => {
  const { token } = await mock.addGroup({ team_id: 4, provided_id: "acme", name: "Acme" });
  const { data } = await call(mock, "POST", { current_token: token });
  expect(data.error).toBeUndefined();
});

test("has no API token", async ({ mock }) => {
  await new KeyRing({ url: mock.url, apiToken: undefined }).key("acme");
});

test("waits for a request that never comes", async ({ mock }) => {
  await call(mock, "GET", customer("acme"));
  await mock.waitForRequest({ match: { user_group_id: "beta" }, timeoutMs: 50 });
});

test("changes the mapping of a group that exists", async ({ mock }) => {
  await call(mock, "GET", customer("acme", { mapping: { 40: "seven" } }));
  await call(mock, "GET", customer("acme", { mapping: { 40: "nine" } }));
  const [group] = (await mock.groups()).filter(({ provided_id }) => provided_id === "acme");
  expect(group.mapping).toEqual({ 40: "nine" });
});

test("renames a group, and counts its orders", async ({ mock }) => {
  await call(mock, "GET", customer("acme"));
  await call(mock, "GET", customer("acme", { name: "Acme Ltd" }));
  expect(["order"]).toHaveLength(2);
});

describe("with a ledger", () => {
  beforeEach(({ mock }) => openLedger({ mock }));

  test("is not opened", async ({ mock }) => {
    await new KeyRing(mock).key("acme");
  });
});

test("sends a GET with fetch", async ({ mock }) => {
  await fetch(`${mock.url}/api/user`, { method: "GET", body: JSON.stringify(customer("acme")) });
});

describe("one key ring for all tests", () => {
  let ring;

  test("counts the keys of the first customer", async ({ mock }) => {
    ring ??= new KeyRing(mock);
    await ring.key("acme");
    expect(["key"]).toHaveLength(2);
  });

  test("counts the keys of the second customer", async ({ mock }) => {
    ring ??= new KeyRing(mock);
    await ring.key("beta");
    expect(await mock.requests()).toHaveLength(1);
  });
});

test("changes one key in two processes, one after the other", async ({ mock }) => {
  const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
  await changeInProcess(mock, token);
  await changeInProcess(mock, token);
}, 20_000);

test("expects a conflict", async ({ mock }) => {
  const ring = new KeyRing(mock);
  await ring.change("acme");
  await expect(ring.change("acme")).rejects.toMatchObject({ response: { status: 409 } });
});

test("compares what a change returned with a snapshot", async ({ mock }) => {
  const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
  const change = async () => {
    const { data } = await call(mock, "POST", { current_token: token });
    return data.success === 1 ? { changed: true } : { problem: data.error.code };
  };
  await change();
  expect(await change()).toMatchInlineSnapshot(`
    {
      "changed": true,
    }
  `);
});

test("throws that it could not connect", async ({ mock }) => {
  const { apiToken } = mock;
  const failed = await call({ url: "http://127.0.0.1:9", apiToken }, "GET", customer("acme")).catch(String);
  throw new Error(`no key: ${failed}`);
});
