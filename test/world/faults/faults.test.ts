import { Agent } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { effectNames } from "../../../src/contract/fault-effects.js";
import type { OneFault } from "../../../src/contract/fault-request.js";
import { shippedSchemas } from "../../../src/generated/shipped-schemas.js";
import type { Fault, FaultRule } from "../../../src/generated/types.js";
import { startMock } from "../../../src/mock/start-mock.js";
import { defaultBounds } from "../../../src/world/bounds.js";
import { Faults } from "../../../src/world/faults/faults.js";
import { call, create, getOrCreate, rotate } from "../../call.js";
import { exchange } from "../../http/raw-socket.js";
import { seededToken } from "../../seeded.js";
import { oneOfTheOperations, unusedMethod } from "../../unused-methods.js";
import { bothWays } from "../both-ways.js";
import { adminInProcess, worldsInProcess } from "../in-process.js";
import { ownWorld } from "../own-world.js";
import { refusalOf } from "../refusal.js";
import { watchCreate } from "../watched-call.js";

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(Object.values(shippedSchemas));
const isFaultList = ajv.compile({ $ref: "faults.response.json" });

describe.each(bothWays)("faults (%s)", (_, steer) => {
  const own = ownWorld(steer);
  const statuses = async (count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n++) found.push((await create(own.world.url)).status);
    return found;
  };

  it("fire once by default", async () => {
    await own.world.fault({ status: 503 });
    expect(await statuses(3)).toEqual([503, 200, 200]);
  });

  it("fire as often as `times`", async () => {
    await own.world.fault({ status: 503, times: 3 });
    expect(await statuses(5)).toEqual([503, 503, 503, 200, 200]);
  });

  it('fire forever with times "always"', async () => {
    const outage = await own.world.fault({ status: 503, times: "always" });
    expect(await statuses(20)).toEqual(Array(20).fill(503));
    expect(await outage.fired).toBe(20);
    expect(await own.world.faults()).toMatchObject([{ active: true }]);
  });

  it.each([1, 7])("fire exactly %i times for 50 simultaneous requests", async (times) => {
    const outage = await own.world.fault({ status: 503, times });
    const responses = await Promise.all(Array.from({ length: 50 }, () => create(own.world.url)));
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(times);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50 - times);
    expect(await outage.fired).toBe(times);
  });

  it("let as many matching requests pass first as `skip`", async () => {
    await own.world.fault({ status: 503, skip: 2, times: 2, match: { user_group_id: "new" } });
    await create(own.world.url, "other");
    expect(await statuses(6)).toEqual([200, 200, 503, 503, 200, 200]);
  });

  it("meet only requests of their operation", async () => {
    await own.world.fault({ operation: "rotate", status: 503 });
    expect(await statuses(1)).toEqual([200]);
    expect((await rotate(own.world.url, seededToken)).status).toBe(503);
    await own.world.fault({ operation: "get-or-create", status: 503 });
    expect((await rotate(own.world.url, seededToken)).status).toBe(200);
    expect(await statuses(1)).toEqual([503]);
  });

  const sent = { mapping: { "40": "1", "41": "2" }, properties: { list: [1, { deep: null }] } };
  it.each<[match: Record<string, unknown>, hits: boolean]>([
    [{}, true],
    [{ user_group_id: "new" }, true],
    [{ user_group_id: "other" }, false],
    [{ user_group_id: "new", name: "new" }, true],
    [{ user_group_id: "new", name: "other" }, false],
    [{ mapping: { "41": "2", "40": "1" } }, true],
    [{ mapping: { "40": "1" } }, true],
    [{ mapping: {} }, true],
    [{ mapping: { "40": "1", "41": 2 } }, false],
    [{ mapping: { "42": "1" } }, false],
    [{ properties: { list: [1, { deep: null }] } }, true],
    [{ properties: { list: [{ deep: null }, 1] } }, false],
    [{ properties: { list: [1, {}] } }, false],
    [{ current_token: "t" }, false],
  ])("compare `match` with the body, including nested objects: %j", async (match, hits) => {
    await own.world.fault({ match, status: 503 });
    expect((await create(own.world.url, "new", sent)).status).toBe(hits ? 503 : 200);
  });

  it.each<[rule: object, path: string, message: string]>([
    [
      { match: { user_group: "a" } },
      "/match/user_group",
      "is not a known field; did you mean user_group_id?",
    ],
    [
      { match: { toString: "t" } },
      "/match/toString",
      "is not a known field; expected one of user_group_id, name, mapping, properties, current_token, filename",
    ],
    [{ match: { name: 5 } }, "/match/name", "must be string"],
    [
      { operation: "rotate", match: { user_group_id: "a" } },
      "/match/user_group_id",
      "is not a field of rotate; expected one of current_token, filename",
    ],
    [
      { operation: "get-or-create", match: { filename: "a" } },
      "/match/filename",
      "is not a field of get-or-create; expected one of user_group_id, name, mapping, properties",
    ],
  ])("reject a match that no request can have: %j", async (rule, path, message) => {
    const { code, details } = await refusalOf(own.world.fault({ ...rule, status: 503 }));
    expect([code, details]).toEqual(["invalid_fault", [{ path, message }]]);
    expect((await refusalOf(own.world.hold(rule))).details).toEqual([{ path, message }]);
    expect(await own.world.faults()).toEqual([]);
  });

  it("ignore fields of a rule that JSON cannot represent", async () => {
    // A test may build a match from undefined values.
    await own.world.fault({ match: { user_group_id: "new", name: undefined as never }, status: 503 });
    expect(await statuses(1)).toEqual([503]);
  });

  it("do not change when the object that armed them is changed later", async () => {
    const request: OneFault = { match: { user_group_id: "new" }, status: 503 };
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
    expect([await first.fired, await second.fired]).toEqual([2, 1]);
  });

  it("are listed with their rule and their counts", async () => {
    await own.world.fault({
      operation: "rotate",
      match: { filename: "f" },
      status: 503,
      body: [1],
      times: 2,
    });
    const delay = await own.world.fault({ delayMs: 1, skip: 1, probability: 1, phase: "after" });
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
        nearMisses: [2, 1].map((request) => ({
          request,
          reason: 'it was get-or-create, not rotate; filename was not sent, not "f"',
        })),
      },
      { id: 2, delayMs: 1, skip: 1, probability: 1, phase: "after", fired: 1, holding: 0, active: false },
    ];
    expect([delay.id, await delay.fired, await own.world.faults()]).toEqual([2, 1, listed]);
    const { body } = await call("GET", `${own.world.url}/__admin/faults`);
    expect(body).toEqual({ faults: listed });
    expect(isFaultList(body)).toBe(true);
  });

  it("are removed one by one", async () => {
    const [first] = [
      await own.world.fault({ status: 501, times: "always" }),
      await own.world.fault({ status: 502, times: "always" }),
    ];
    await first.remove();
    expect(await statuses(2)).toEqual([502, 502]);
    expect((await own.world.faults()).map(({ id }) => id)).toEqual([2]);
    expect((await refusalOf(first.fired)).message).toContain("Fault 1 is no longer armed");
    expect((await refusalOf(first.remove())).code).toBe("unknown_fault");
    expect((await call("DELETE", `${own.world.url}/__admin/faults/1`)).status).toBe(404);
  });

  it("are removed by clearFaults()", async () => {
    for (const status of [501, 502]) await own.world.fault({ status, times: "always" });
    await own.world.clearFaults();
    expect([await own.world.faults(), await statuses(2)]).toEqual([[], [200, 200]]);
    expect((await own.world.fault({ status: 503 })).id).toBe(3);
  });

  it("are removed by a reset", async () => {
    await own.world.fault({ status: 503, times: "always" });
    await own.world.reset();
    expect([await own.world.faults(), await statuses(1)]).toEqual([[], [200]]);
  });

  it.each<[what: string, act: (url: string) => Promise<unknown>]>([
    ["an unknown API token", (url) => getOrCreate(url, { user_group_id: "new" }, { apiToken: "unheard-of" })],
    ["an invalid body", (url) => getOrCreate(url, { user_group_id: 7 })],
    ["a body that is not JSON", (url) => getOrCreate(url, "{")],
    ["no body", (url) => getOrCreate(url, undefined)],
    ["another Content-Type", (url) => getOrCreate(url, {}, { headers: { "Content-Type": "text/plain" } })],
    ["another path", (url) => call("GET", `${url}/nowhere`, { user_group_id: "new", name: "New" })],
    ["another method", (url) => call(unusedMethod, `${url}/api/user`, { user_group_id: "new", name: "New" })],
  ])("are not used up by a request that fails earlier: one with %s", async (_what, act) => {
    const outage = await own.world.fault({ status: 503 });
    await act(own.world.url);
    expect(await outage.fired).toBe(0);
    expect(await statuses(2)).toEqual([503, 200]);
  });

  const oneEffect = `must have exactly one of the effects ${effectNames.join(", ")}`;
  it.each<[json: string, path: string, problem: string]>([
    ["{}", "", `${oneEffect}; it has none`],
    ['{ "operation": "rotate", "times": 2 }', "", "; it has none"],
    ['{ "status": 503, "reset": true }', "", "it has status and reset"],
    ['{ "delayMs": 5, "status": 503, "reset": true }', "", "it has status and reset"],
    ['{ "reset": true, "headers": {} }', "/status", "is required with headers"],
    ['{ "reset": true, "text": "x" }', "/status", "is required with text"],
    ['{ "status": 503, "text": "x", "body": {} }', "/text", "cannot be combined with body"],
    ['{ "status": 503, "headers": { "a b": "x" } }', "/headers/a b", "is not a header name"],
    ['{ "status": 503, "headers": { "__proto__": "x" } }', "/headers/__proto__", "is not a header name"],
    [
      '{ "status": 503, "headers": { "X-A": "1", "x-a": "2" } }',
      "/headers/x-a",
      "is repeated with different upper and lower case",
    ],
    ['{ "status": 503, "text": "\\ud800" }', "/text", "unpaired surrogate"],
    ['{ "status": 503, "headers": { "X-A": "a\\nb" } }', "/headers/X-A", "without control characters"],
    [
      '{ "status": 503, "headers": { "Content-Length": "5" } }',
      "/headers/Content-Length",
      "is set by the mock",
    ],
    ['{ "status": 503, "headers": { "Retry-After": 5 } }', "/headers/Retry-After", "must be string"],
    ['{ "status": 503, "team_id": "3" }', "/team_id", "must be integer"],
    ['{ "status": 503, "operation": "rotat" }', "/operation", "did you mean rotate?"],
    ['{ "hold": true, "empty": true, "truncate": true }', "", "it has empty and truncate and hold"],
    ['{ "dribble": true, "delayMs": 5, "malformed": true }', "", "it has malformed and dribble"],
    ['{ "dribble": true }', "/delayMs", "is required with dribble"],
    ['{ "delayMs": -1 }', "/delayMs", "must be a number from 1 to 600000"],
    ['{ "delayMs": 1.5 }', "/delayMs", "must be integer"],
    ['{ "delayMs": 600001 }', "/delayMs", "must be a number from 1 to 600000"],
    ['{ "status": 200 }', "/status", "must be a number from 400 to 599"],
    ['{ "status": 600 }', "/status", "must be a number from 400 to 599"],
    ['{ "status": "503" }', "/status", "must be integer"],
    ['{ "reset": false }', "/reset", "must be true"],
    ['{ "empty": true, "body": {} }', "/status", "is required with body"],
    ['{ "status": 503, "times": 0 }', "/times", 'must be a number of at least 1, or "always"'],
    ['{ "status": 503, "times": "often" }', "/times", 'must be a number of at least 1, or "always"'],
    ['{ "status": 503, "skip": -1 }', "/skip", "must be at least 0"],
    ['{ "status": 503, "probability": 0 }', "/probability", "must be > 0"],
    ['{ "status": 503, "probability": 1.5 }', "/probability", "must be <= 1"],
    ['{ "status": 503, "phase": "during" }', "/phase", 'must be "before" or "after"'],
    ['{ "status": 503, "operation": "unknown" }', "/operation", oneOfTheOperations],
    ['{ "status": 503, "match": "a" }', "/match", "must be object"],
    ['{ "status": 503, "probabilty": 0.5 }', "/probabilty", "did you mean probability?"],
    ['{ "delay": 5 }', "/delay", "did you mean delayMs?"],
    ["[]", "", "must be object"],
    ["null", "", "must be object"],
    ['"status"', "", "must be object"],
  ])("reject an invalid rule and change nothing: %s", async (json, path, problem) => {
    const kept = await own.world.fault({ status: 501 });
    // From JSON, because TypeScript would reject it.
    const { code, details, message } = await refusalOf(own.world.fault(JSON.parse(json)));
    expect(code).toBe("invalid_fault");
    expect(details).toContainEqual({ path, message: expect.stringContaining(problem) });
    expect(message).toContain(problem);
    const refused = await call("POST", `${own.world.url}/__admin/faults`, json);
    expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_fault"]);
    expect((await own.world.faults()).map(({ id }) => id)).toEqual([kept.id]);
    expect(await statuses(2)).toEqual([501, 200]);
  });

  it("report all problems of a rule at once", async () => {
    const { details } = await refusalOf(own.world.fault({ status: 600 as number, delayMs: -1, skip: -1 }));
    expect(details.map(({ path }) => path).sort()).toEqual(["/delayMs", "/skip", "/status"]);
  });

  it("are limited to 1,000", async () => {
    const inProcess = own.mock.world(own.world.name);
    for (let n = 0; n < 1_000; n++) await inProcess.fault({ status: 503 });
    const { code, message } = await refusalOf(own.world.fault({ status: 503 }));
    expect([code, message]).toEqual(["too_many_faults", expect.stringContaining("Clear them between tests")]);
    expect((await call("POST", `${own.world.url}/__admin/faults`, { status: 503 })).status).toBe(429);
    await own.world.clearFaults();
    await own.world.fault({ status: 503 });
  });
});

describe.each(bothWays)("the probability of a fault (%s)", (_, steer) => {
  /** Which of so many requests fail in a mock with that seed. */
  const drawn = async (seed: string, probability: number, count = 200): Promise<string> => {
    await using mock = await startMock({ seed });
    const world = await steer(mock);
    await world.fault({ status: 503, times: "always", probability });
    const agent = new Agent({ keepAlive: true });
    let pattern = "";
    for (let n = 0; n < count; n++) {
      pattern += (await watchCreate(mock.url, "new", agent)).status === 503 ? "x" : ".";
    }
    agent.destroy();
    return pattern;
  };
  const share = (pattern: string) => pattern.replaceAll(".", "").length / pattern.length;

  it("draws the same in every run with one seed, differently with another, at the given rate", async () => {
    const [first, again, other] = [await drawn("one", 0.3), await drawn("one", 0.3), await drawn("two", 0.3)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    for (const pattern of [first, other]) {
      expect(share(pattern)).toBeGreaterThan(0.2);
      expect(share(pattern)).toBeLessThan(0.4);
    }
  });

  it("draws the same again after a reset", async () => {
    await using mock = await startMock();
    const world = await steer(mock);
    const patterns = [];
    for (let round = 0; round < 2; round++) {
      await world.reset();
      await world.fault({ status: 503, times: "always", probability: 0.5 });
      const statuses = [];
      for (let n = 0; n < 30; n++) statuses.push((await create(world.url)).status);
      patterns.push(statuses);
    }
    expect(patterns[0]).toEqual(patterns[1]);
    expect(new Set(patterns[0])).toEqual(new Set([200, 503]));
  });

  it("does not use up `times` when it does not fire", async () => {
    await using mock = await startMock();
    const world = await steer(mock);
    const outage = await world.fault({ status: 503, times: 3, probability: 0.2 });
    let failed = 0;
    for (let n = 0; n < 80; n++) if ((await create(world.url)).status === 503) failed++;
    expect([failed, await outage.fired]).toEqual([3, 3]);
  });
});

describe("a fault with times: 2", () => {
  it.each([{ status: 503 }, { status: 503, delayMs: 10 }, { delayMs: 10 }])(
    "does not fire three times when two requests arrive at once: %j",
    async (rule) => {
      await using mock = await startMock();
      await mock.fault({ ...rule, times: 2 });
      await create(mock.url);
      const body = JSON.stringify({ user_group_id: "new", name: "New" });
      const request = (connection: string) =>
        [
          "GET /api/user HTTP/1.1",
          "Host: localhost",
          "Authorization: Token test-api-token",
          "Content-Type: application/json",
          `Content-Length: ${body.length}`,
          `Connection: ${connection}`,
          "",
          body,
        ].join("\r\n");
      // In one write, so that the mock reads both in one turn of the event loop.
      await exchange(mock.url, [request("keep-alive") + request("close")]);
      expect((await mock.requests()).map(({ fault }) => fault)).toEqual([1, 1, null]);
      expect(await mock.faults()).toMatchObject([{ fired: 2 }]);
    },
  );
});

describe("the rule of a fault", () => {
  const newFaults = () => new Faults("fixed", defaultBounds, () => {});
  const problemsOf = async (rule: object) => {
    const admin = await adminInProcess(await worldsInProcess());
    const { code, summary, details } = await refusalOf(admin("armFault", { body: rule }));
    expect([code, summary]).toEqual(["invalid_fault", "Invalid fault:"]);
    return details;
  };

  it.each([
    ...["Content-Length", "transfer-encoding", "connection", "Keep-Alive", "date", "trailer"],
    ...["usergroup-mock-", "Usergroup-Mock-Request"],
  ])("rejects a header that the mock sets: %s", async (name) => {
    expect(await problemsOf({ status: 503, headers: { [name]: "x" } })).toEqual([
      { path: `/headers/${name}`, message: "is set by the mock" },
    ]);
  });

  it.each(["", "a b", "a:", "(a", "a\n", "ä", "__proto__"])(
    "rejects an invalid header name: %j",
    async (name) => {
      const headers = JSON.parse(`{${JSON.stringify(name)}:"x"}`);
      expect(await problemsOf({ status: 503, headers })).toEqual([
        { path: `/headers/${name}`, message: "is not a header name" },
      ]);
    },
  );

  it.each(["a\nb", "\ra", "a\n", "\x00", "\x1f", "\x7f", "\u0100", "😀"])(
    "rejects an invalid header value: %j",
    async (value) => {
      expect(await problemsOf({ status: 503, headers: { "X-A": value } })).toEqual([
        {
          path: "/headers/X-A",
          message: "must be Latin-1 text without control characters or line breaks",
        },
      ]);
    },
  );

  it("accepts every other header with any Latin-1 text", async () => {
    const headers = {
      "!#$%&'*+.^_`|~09AZaz-": "\t ~\x80é\xff",
      "X-Empty": "",
      "x-content-length": "1",
      "date-x": "2",
      "x-usergroup-mock-a": "3",
    };
    expect(newFaults().arm({ status: 503, headers }).headers).toEqual(headers);
  });

  it("rejects combinations that do not fit together", async () => {
    expect(await problemsOf({ dribble: true, headers: { "X-A": "1" } })).toEqual([
      { path: "/status", message: "is required with headers" },
      { path: "/delayMs", message: "is required with dribble" },
    ]);
    expect(await problemsOf({ status: 503, headers: { "X-A": "1", "x-a": "2", "X-a": "3" } })).toEqual([
      { path: "/headers/x-a", message: "is repeated with different upper and lower case" },
      { path: "/headers/X-a", message: "is repeated with different upper and lower case" },
    ]);
    expect(await problemsOf({ status: 503, body: 1, text: "a" })).toEqual([
      { path: "/text", message: "cannot be combined with body" },
    ]);
    expect(await problemsOf({ status: 503, text: "a\ud83d" })).toEqual([
      { path: "/text", message: "must not contain an unpaired surrogate, which UTF-8 cannot encode" },
    ]);
    const effects = effectNames.join(", ");
    expect(await problemsOf({})).toEqual([
      { path: "", message: `must have exactly one of the effects ${effects}; it has none` },
    ]);
    expect(await problemsOf({ reset: true, hold: true, delayMs: 5 })).toEqual([
      { path: "", message: `must have exactly one of the effects ${effects}; it has reset and hold` },
    ]);
  });

  it("accepts a complete surrogate pair in its text", async () => {
    expect(newFaults().arm({ status: 503, text: "😀" }).text).toBe("😀");
  });
});

describe("Faults", () => {
  const armed = async (...rules: FaultRule[]) => {
    const events: Fault[] = [];
    const faults = new Faults("fixed", defaultBounds, (fault) => events.push(fault));
    for (const rule of rules) faults.arm(rule);
    return { faults, events };
  };
  const claimed = (faults: Faults, count: number) =>
    Array.from({ length: count }, () => faults.claim("rotate", {}, 3)?.id);

  it("reports every change: armed, fired, released, removed", async () => {
    const { faults, events } = await armed({ hold: true });
    faults.claim("rotate", {}, 3);
    faults.release(1);
    faults.remove(1);
    expect(events.map(({ id, fired, active }) => [id, fired, active])).toEqual([
      [1, 0, true],
      [1, 1, false],
      [1, 1, false],
      [1, 1, false],
    ]);
    expect(faults.list()).toEqual([]);
  });

  it("rejects an unknown id, and the release of a fault that is not a hold", async () => {
    const { faults } = await armed({ status: 503 });
    const refused = (act: () => void) => refusalOf((async () => act())());
    for (const act of [() => faults.remove(2), () => faults.release(2)]) {
      const { code, message } = await refused(act);
      expect([code, message]).toEqual(["unknown_fault", "There is no fault 2 in this world."]);
    }
    const { code, message } = await refused(() => faults.release(1));
    expect([code, message]).toEqual(["not_a_hold", "Fault 1 is not a hold. Its effect is status."]);
  });

  it("claims requests in turn: after `skip`, until `times` is used up, then by the next fault", async () => {
    const { faults } = await armed({ status: 501, skip: 1, times: 2 }, { status: 502 });
    expect(claimed(faults, 5)).toEqual([2, 1, 1, undefined, undefined]);
    expect(faults.list().map(({ fired, active }) => [fired, active])).toEqual([
      [2, false],
      [1, false],
    ]);
  });

  it("copies faults with their counts, independent of the original", async () => {
    const { faults } = await armed({ status: 501, skip: 2, times: 2 }, { hold: true, times: "always" });
    expect(claimed(faults, 3)).toEqual([2, 2, 1]);
    faults.release(2);
    const captured = faults.copy();
    expect(claimed(faults, 2)).toEqual([1, undefined]);
    faults.copyFrom(captured);
    expect(faults.list().map(({ id, fired, active }) => [id, fired, active])).toEqual([
      [1, 1, true],
      [2, 2, false],
    ]);
    expect(claimed(faults, 2)).toEqual([1, undefined]);
    faults.copyFrom(captured);
    expect(claimed(faults, 2)).toEqual([1, undefined]);
  });

  it("never uses an id twice, and draws equally after a restore", async () => {
    const often: FaultRule = { status: 503, times: "always", probability: 0.5 };
    const { faults } = await armed(often);
    const captured = faults.copy();
    const draws = () => claimed(faults, 64).map((id) => id !== undefined);
    faults.remove(1);
    expect(faults.arm(often).id).toBe(2);
    const first = draws();
    faults.copyFrom(captured);
    faults.remove(1);
    expect(faults.arm(often).id).toBe(3);
    expect(draws()).toEqual(first);
    const other = await armed();
    other.faults.copyFrom(captured);
    expect(other.faults.arm(often).id).toBe(2);
  });

  it("draws as in earlier versions, so that a failed suite can be repeated", async () => {
    const { faults } = await armed({ status: 503, times: "always", probability: 0.5 });
    const pattern = claimed(faults, 40).map((id) => (id === undefined ? "." : "x"));
    expect(pattern.join("")).toBe(".x..xxx..xx.x...xxx..xxx.x.xx.xxxxx.xx..");
  });

  it("draws at the given rate", async () => {
    const share = async (probability: number) => {
      const { faults } = await armed({ status: 503, times: "always", probability });
      return claimed(faults, 1_000).filter((id) => id !== undefined).length / 1_000;
    };
    expect(await share(1)).toBe(1);
    for (const probability of [0.1, 0.5, 0.9]) {
      expect(await share(probability)).toBeGreaterThan(probability - 0.05);
      expect(await share(probability)).toBeLessThan(probability + 0.05);
    }
  });

  it("aborts waiting requests when the world is restored", async () => {
    const { faults } = await armed({ hold: true });
    const captured = faults.copy();
    const waiting = faults.claim("rotate", {}, 3)?.wait(new AbortController().signal);
    faults.copyFrom(captured);
    expect(await waiting).toBe("the world was restored from a snapshot");
    expect(faults.list()).toMatchObject([{ id: 1, fired: 0, holding: 0, active: true }]);
  });
});
