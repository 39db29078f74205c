import { describe, expect, it } from "vitest";
import { kindNames } from "../../../../src/fake/contract/fault-kinds.js";
import { Faults } from "../../../../src/fake/world/faults/faults.js";
import type { FaultRequest } from "../../../../src/index.js";
import { call, create, getOrCreate, rotate } from "../../../call.js";
import { seededToken } from "../../../seeded.js";
import { unusedMethod } from "../../../unused-methods.js";
import { ownWorld } from "../own-world.js";
import { rejectionOf } from "../rejection.js";

describe("faults", () => {
  const own = ownWorld();
  const statuses = async (count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n++) found.push((await create(own.world.url)).status);
    return found;
  };

  it('fire with times "always" until they are cleared', async () => {
    const outage = await own.world.fault({ status: 503, times: "always" });
    expect(await statuses(20)).toEqual(Array(20).fill(503));
    expect(await outage.fired()).toBe(20);
    expect(await own.world.faults()).toMatchObject([{ active: true }]);
    await own.world.clearFaults();
    expect(await statuses(1)).toEqual([200]);
    expect((await own.world.fault({ status: 503 })).id).toBe(2);
  });

  it.each([1, 7])("fire exactly %i times for 50 simultaneous requests", async (times) => {
    const outage = await own.world.fault({ status: 503, times });
    const responses = await Promise.all(Array.from({ length: 50 }, () => create(own.world.url)));
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(times);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50 - times);
    expect(await outage.fired()).toBe(times);
  });

  it("let as many matching requests pass first as `skip`", async () => {
    await own.world.fault({ status: 503, skip: 2, times: 2, match: { user_group_id: "new" } });
    await create(own.world.url, "other");
    expect(await statuses(6)).toEqual([200, 200, 503, 503, 200, 200]);
  });

  it("meet only requests of their operation and their team", async () => {
    await own.world.fault({ operation: "rotate", status: 503 });
    await own.world.fault({ status: 503, team_id: 4 });
    expect(await statuses(1)).toEqual([200]);
    expect((await rotate(own.world.url, seededToken)).status).toBe(503);
    const other = { apiToken: "other-api-token" };
    expect((await getOrCreate(own.world.url, { user_group_id: "a", name: "A" }, other)).status).toBe(503);
  });

  // test/fake/world/match.test.ts has how bodies are compared.
  it.each<[match: Record<string, unknown>, hits: boolean]>([
    [{ user_group_id: "new", mapping: { "40": "1" } }, true],
    [{ user_group_id: "new", name: "other" }, false],
  ])("compare `match` with the body: %j", async (match, hits) => {
    await own.world.fault({ match, status: 503 });
    const { status } = await create(own.world.url, "new", { mapping: { "40": "1", "41": "2" } });
    expect(status).toBe(hits ? 503 : 200);
  });

  it.each<[rule: object, path: string, message: string]>([
    [
      { operation: "rotate", match: { user_group_id: "a" } },
      "/match/user_group_id",
      "is not a field of rotate; expected one of current_token, filename",
    ],
    [
      { operation: "get-or-create", match: { filename: "a" } },
      "/match/filename",
      "is not a field of get-or-create; expected one of user_group_id, name, ",
    ],
  ])("reject a match that no request of their operation can have: %j", async (rule, path, message) => {
    const { code, details } = await rejectionOf(own.world.fault({ ...rule, status: 503 }));
    expect([code, details]).toEqual(["invalid_fault", [{ path, message: expect.stringContaining(message) }]]);
    expect((await rejectionOf(own.world.hold(rule))).details).toEqual(details);
    expect(await own.world.faults()).toEqual([]);
  });

  it("do not change when the object that armed them is changed later", async () => {
    const request: FaultRequest = { match: { user_group_id: "new" }, status: 503 };
    await own.world.fault(request);
    Object.assign(request, { status: 500 });
    Object.assign(request.match ?? {}, { user_group_id: "other" });
    for (const shown of await own.world.faults()) Object.assign(shown, { status: 500, fired: 7 });
    expect(await statuses(1)).toEqual([503]);
  });

  it("fire in the order in which they were armed", async () => {
    const [first, second] = [
      await own.world.fault({ status: 501, times: 2 }),
      await own.world.fault({ status: 502, skip: 1 }),
    ];
    expect(await statuses(5)).toEqual([501, 501, 200, 502, 200]);
    expect([await first.fired(), await second.fired()]).toEqual([2, 1]);
  });

  it("are listed with their rule and their counts", async () => {
    await own.world.fault({
      operation: "rotate",
      match: { filename: "f" },
      status: 503,
      body: [1],
      times: 2,
    });
    const delay = await own.world.fault({ delayMs: 1, skip: 1, phase: "after" });
    await statuses(2);
    const listed = [
      {
        id: 1,
        operation: "rotate",
        match: { filename: "f" },
        status: 503,
        body: [1],
        times: 2,
        fired: 0,
        holding: 0,
        active: true,
        nearMisses: [2, 1].map((request) => ({ request, reason: "it was get-or-create, not rotate" })),
      },
      { id: 2, delayMs: 1, skip: 1, phase: "after", fired: 1, holding: 0, active: false },
    ];
    expect([delay.id, await delay.fired(), await own.world.faults()]).toEqual([2, 1, listed]);
    const { body } = await call("GET", `${own.world.url}/__admin/faults`);
    expect(body).toEqual({ faults: listed });
  });

  it("hold no request that they only delay", async () => {
    const delay = await own.world.fault({ delayMs: 60_000 });
    const waiting = create(own.world.url);
    await expect.poll(() => delay.fired()).toBe(1);
    expect(await own.world.faults()).toMatchObject([{ fired: 1, holding: 0 }]);
    await delay.remove();
    expect((await waiting).status).toBe(200);
  });

  it("are removed one by one", async () => {
    const [first] = [
      await own.world.fault({ status: 501, times: "always" }),
      await own.world.fault({ status: 502, times: "always" }),
    ];
    await first.remove();
    expect(await statuses(2)).toEqual([502, 502]);
    expect((await own.world.faults()).map(({ id }) => id)).toEqual([2]);
    expect((await rejectionOf(first.fired())).message).toContain("Fault 1 is no longer armed");
    expect(await rejectionOf(first.remove())).toMatchObject({
      code: "unknown_fault",
      message: expect.stringContaining(`There is no fault ${first.id} in this world.`),
    });
    expect((await call("DELETE", `${own.world.url}/__admin/faults/1`)).status).toBe(404);
  });

  it("with a status below 400 need a response of their own", async () => {
    const { code, message } = await rejectionOf(own.world.fault({ status: 202 }));
    expect(code).toBe("invalid_fault");
    expect(message).toMatch(/^Invalid fault:\s+\/status: below 400 it needs body, text or headers/);
    for (const response of [{ headers: { "X-A": "1" } }, { body: { a: 1 } }, { text: "1" }])
      await own.world.fault({ status: 202, ...response });
    expect(await statuses(4)).toEqual([202, 202, 202, 200]);
  });

  it("are not used up by requests that fail earlier", async () => {
    const { url } = own.world;
    const outage = await own.world.fault({ status: 503 });
    await getOrCreate(url, { user_group_id: "new" }, { apiToken: "unheard-of" });
    await getOrCreate(url, { user_group_id: 7 });
    await getOrCreate(url, "{");
    await getOrCreate(url, undefined);
    await getOrCreate(url, {}, { headers: { "Content-Type": "text/plain" } });
    await call("GET", `${url}/nowhere`, { user_group_id: "new", name: "New" });
    await call(unusedMethod, `${url}/api/user`, { user_group_id: "new", name: "New" });
    expect(await outage.fired()).toBe(0);
    expect(await statuses(2)).toEqual([503, 200]);
  });

  const oneKind = `must have exactly one of ${kindNames.join(", ")}`;
  it.each<[rule: object, path: string, problem: string]>([
    [{}, "", `${oneKind}; it has none`],
    [{ delayMs: 5, status: 503, reset: true }, "", "it has status and reset"],
    [{ hold: true, empty: true, truncate: true }, "", "it has empty and truncate and hold"],
    [{ status: 503, text: "x", body: {} }, "/text", "cannot be combined with body"],
    [{ status: 302 }, "/status", "below 400 it needs body, text or headers"],
  ])("reject a rule that contradicts itself, and change nothing: %j", async (rule, path, problem) => {
    const kept = await own.world.fault({ status: 501 });
    // TypeScript would reject some of them.
    const { code, details } = await rejectionOf(own.world.fault(rule as FaultRequest));
    expect(code).toBe("invalid_fault");
    expect(details).toContainEqual({ path, message: expect.stringContaining(problem) });
    expect((await own.world.faults()).map(({ id }) => id)).toEqual([kept.id]);
    expect(await statuses(2)).toEqual([501, 200]);
  });
});

describe("the headers of a fault", () => {
  const own = ownWorld();
  const findProblems = async (headers: Record<string, string>) =>
    (await rejectionOf(own.world.fault({ status: 503, headers }))).details;

  it.each([
    "Content-Length",
    "transfer-encoding",
    "connection",
    "Keep-Alive",
    "date",
    "trailer",
    "usergroup-mock-",
  ])("cannot have a name that the mock sets: %s", async (name) => {
    expect(await findProblems({ [name]: "x" })).toEqual([
      { path: `/headers/${name}`, message: "is set by the mock" },
    ]);
  });

  it.each(["", "a b", "a:", "(a", "a\n", "ä", "__proto__"])(
    "cannot have an invalid name: %j",
    async (name) => {
      expect(await findProblems({ [name]: "x" })).toEqual([
        { path: `/headers/${name}`, message: "is not a header name" },
      ]);
    },
  );

  it.each(["a\nb", "\ra", "\x1f", "\x7f", "\u0100", "😀"])(
    "cannot have an invalid value: %j",
    async (value) => {
      expect(await findProblems({ "X-A": value })).toEqual([
        { path: "/headers/X-A", message: "must be Latin-1 text without control characters or line breaks" },
      ]);
    },
  );

  it("can have every other name, with any Latin-1 text", async () => {
    const headers = {
      "!#$%&'*+.^_`|~09AZaz-": "\t ~\x80é\xff",
      "X-Empty": "",
      "x-content-length": "1",
      "date-x": "2",
      "x-usergroup-mock-a": "3",
    };
    await own.world.fault({ status: 503, headers });
    expect(await own.world.faults()).toMatchObject([{ headers }]);
  });
});

describe("a fault with times: 2", () => {
  const own = ownWorld();

  it.each([{ status: 503 }, {}])(
    "lets a third request pass while two others wait in it: %j",
    async (rule) => {
      const { world } = own;
      const fault = await world.fault({ ...rule, delayMs: 60_000, times: 2 });
      // Each has a connection of its own: those of one connection are handled one after the other.
      const waiting = [create(world.url), create(world.url)];
      await expect.poll(() => fault.fired()).toBe(2);
      expect((await create(world.url)).status).toBe(200);
      expect((await world.requests()).map(({ fault }) => fault)).toEqual([1, 1, null]);
      await world.clearFaults();
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(rule.status ?? 200);
    },
  );
});

describe("the faults of an epoch", () => {
  it("know whether one was armed, even if it is gone", () => {
    const faults = new Faults();
    expect(() => faults.arm({})).toThrow("Invalid fault");
    expect(faults.wasArmed).toBe(false);
    faults.arm({ status: 503 });
    faults.clear();
    expect(faults.wasArmed).toBe(true);
  });
});
