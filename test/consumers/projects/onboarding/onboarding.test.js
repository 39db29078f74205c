// Every test fails, for a reason that developers meet. What must be printed below each stands in onboarding.ts.
import { test } from "usergroup-mock/vitest";
import { afterEach, describe, expect, onTestFinished, vi } from "vitest";
import { startBilling } from "./billing.js";
import { offboard, onboard, Queue, startApi } from "./onboarding.js";
import { send, UserGroups } from "./user-groups.js";

const acme = { id: "acme", name: "Acme" };
const clientOf = (mock, options) =>
  new UserGroups({ baseUrl: mock.url, apiToken: mock.apiToken, ...options });

async function apiOf(groups, options) {
  const api = await startApi(groups, options);
  onTestFinished(() => api.stop());
  return api;
}

async function billingOf(accounts) {
  const billing = await startBilling(accounts);
  onTestFinished(() => billing.stop());
  return billing.url;
}

/** A client whose cached token another instance has rotated. */
async function outdated(mock, options) {
  const groups = clientOf(mock, options);
  const { token } = await groups.ensure(acme);
  await clientOf(mock).rotateToken(token);
  return groups;
}

describe("the endpoint", () => {
  test("passes the status of the service on", async ({ mock }) => {
    const api = await apiOf(await outdated(mock), { passOn: true });
    expect((await api.post("/tenants/acme/rotation")).status).toBe(200);
  });

  test("creates a tenant with 201", async ({ mock }) => {
    const api = await apiOf(clientOf(mock));
    expect((await api.post("/tenants/acme")).status).toBe(201);
  });

  test("maps an outage to 502", async ({ mock }) => {
    await mock.fault({ operation: "get-or-create", status: 503 });
    const api = await apiOf(clientOf(mock, { retries: 1 }));
    expect((await api.post("/tenants/acme")).status).toBe(502);
  });
});

describe("the client", () => {
  test("keeps a stale token in its cache", async ({ mock }) => {
    const groups = await outdated(mock);
    await groups.rotate("acme");
  });

  test("has another path", async ({ mock }) => {
    await clientOf(mock, { path: "/api/users" }).ensure(acme);
  });

  test("waits less long than the service takes", async ({ mock }) => {
    await mock.fault({ operation: "get-or-create", delayMs: 5000 });
    await clientOf(mock, { timeoutMs: 200 }).ensure(acme);
  });

  test("cannot read a truncated response", async ({ mock }) => {
    await mock.fault({ operation: "get-or-create", truncate: true });
    await clientOf(mock).ensure(acme);
  });

  test("repeats a rotation whose response was lost", async ({ mock }) => {
    const groups = clientOf(mock, { retries: 1 });
    await groups.ensure(acme);
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    await groups.rotate("acme");
  });
});

describe("faults", () => {
  test("is armed for the other operation", async ({ mock }) => {
    const groups = clientOf(mock, { retries: 1 });
    await groups.ensure(acme);
    await mock.fault({ operation: "get-or-create", status: 503 });
    await groups.rotate("acme");
    expect(groups.retried).toBe(1);
  });
});

describe("onboarding", () => {
  test("sends no name", async ({ mock }) => {
    await onboard(clientOf(mock), { id: "acme", plan: "free" });
  });

  test("expects a conflict that does not come", async ({ mock }) => {
    const groups = clientOf(mock);
    await onboard(groups, { ...acme, plan: "free" });
    await expect(onboard(groups, { ...acme, name: "Another", plan: "free" })).rejects.toThrow();
  });

  test("has no billing account after a swallowed rejection", async ({ mock }) => {
    const groups = await outdated(mock);
    await offboard(groups, groups.tokens.get("acme"), await billingOf([]), "acme");
  });
});

describe("jobs", () => {
  const queue = new Queue();
  afterEach(() => queue.drained());

  test("does not wait for the queue", async ({ mock }) => {
    const groups = clientOf(mock);
    const { token } = await groups.ensure(acme);
    queue.add(() => groups.rotate("acme"), 50);
    expect(groups.tokens.get("acme")).not.toBe(token);
  });

  test("swallows a rejection", async ({ mock }) => {
    const groups = await outdated(mock);
    queue.add(() => groups.rotate("acme"));
    await queue.drained();
    await mock.assertNoFailures();
  });
});

describe("what nothing shows at once", () => {
  const queue = new Queue();
  afterEach(() => queue.drained());

  test("maps a failure of billing to 502", async ({ mock }) => {
    const groups = await outdated(mock);
    const billing = await billingOf([]);
    const api = await apiOf(groups, { billing });
    expect((await api.post("/tenants/acme/end")).status).toBe(200);
  });

  test("has too many tenants", async ({ mock }) => {
    const groups = await outdated(mock);
    const known = await groups.rotate("acme").then(
      () => true,
      () => false,
    );
    if (!known) throw new Error("quota of 3 tenants exceeded");
  });

  test("counts 400 rows after a skipped one", async ({ mock }) => {
    const rows = [{ id: "" }];
    let done = 401;
    for (const row of rows)
      await clientOf(mock)
        .ensure({ ...row, name: "Row" })
        .catch(() => done--);
    expect({ done }).toEqual({ done: 401 });
  });

  test("reads the token of a group that is null", async ({ mock }) => {
    const group = await clientOf(mock)
      .ensure({ id: "acme" })
      .catch(() => null);
    expect(group.token).toBeDefined();
  });

  test("onboards two tenants at once", async ({ mock }) => {
    const groups = clientOf(mock);
    const tenants = [
      { ...acme, plan: "free", mapping: { 41: true } },
      { id: "beta", name: "Beta", plan: "free" },
    ];
    const ended = await Promise.allSettled(tenants.map((tenant) => onboard(groups, tenant)));
    const reasons = ended.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
    if (reasons.length > 0) throw new AggregateError(reasons, "not all tenants were onboarded");
  });

  test("throws the code of the second of two rejections", async ({ mock }) => {
    const groups = await outdated(mock);
    await groups.ensure({ ...acme, mapping: { 40: 1 } }).catch(() => {});
    const token = groups.tokens.get("acme");
    const headers = { Authorization: `Token ${mock.apiToken}`, "Content-Type": "application/json" };
    const { text } = await send("POST", `${mock.url}/api/user`, { headers, body: { current_token: token } });
    const { error } = JSON.parse(text);
    if (error) throw new Error(`rotation: ${error.code}`);
  });

  test("polls for a group that was not created", async ({ mock }) => {
    queue.add(() => clientOf(mock).ensure({ id: "beta" }));
    await queue.drained();
    const ids = async () => (await mock.groups()).map(({ provided_id }) => provided_id);
    await vi.waitFor(async () => expect(await ids()).toContain("beta"), { timeout: 300 });
  });

  test("waits for billing until the time limit", { timeout: 1000 }, async ({ mock }) => {
    const groups = await outdated(mock);
    await groups.rotate("acme").catch(() => {});
    await new Promise(() => {});
  });

  test("asserts the number of requests", async ({ mock }) => {
    await mock.fault({ status: 503 });
    await clientOf(mock, { retries: 1 }).ensure(acme);
    expect((await mock.requests()).length).toBe(1);
  });

  test("asserts how often its fault fired", async ({ mock }) => {
    const outage = await mock.fault({ status: 503, times: 2 });
    await clientOf(mock)
      .ensure(acme)
      .catch(() => {});
    expect(await outage.fired()).toBe(2);
  });

  test("sends its token as Bearer", async ({ mock }) => {
    const headers = { Authorization: `Bearer ${mock.apiToken}`, "Content-Type": "application/json" };
    const { status, text } = await send("GET", `${mock.url}/api/user`, {
      headers,
      body: { user_group_id: "a" },
    });
    expect({ status, text }).toMatchObject({ status: 200 });
  });

  test("keeps a token over a reset", async ({ mock }) => {
    const groups = clientOf(mock);
    await groups.ensure(acme);
    await mock.reset();
    await groups.rotate("acme");
  });

  test("rejects with an object that is no error", async ({ mock }) => {
    const groups = await outdated(mock);
    await groups.rotate("acme").catch((error) => Promise.reject({ ...error, text: error.message }));
  });

  test("expects another status of the rejection", async ({ mock }) => {
    const groups = await outdated(mock);
    await expect(groups.rotate("acme")).rejects.toMatchObject({ status: 409 });
  });

  test("compares an old token with the new one", async ({ mock }) => {
    const groups = await outdated(mock);
    const { token } = await clientOf(mock).ensure(acme);
    expect(groups.tokens.get("acme")).toBe(token);
  });

  test("fails in a hook after its requests", async ({ mock }) => {
    await clientOf(mock).ensure(acme);
  });
  afterEach(({ task }) => {
    if (task.name === "fails in a hook after its requests") throw new Error("cannot remove tenants.db");
  });
});
