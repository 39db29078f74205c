import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../../src/index.js";
import { NoResponse } from "../../../src/lab/verify/not-determinable.js";
import { ServiceClient } from "../../../src/lab/verify/service-client.js";
import type { VerifyProgress } from "../../../src/lab/verify/verify-service.js";
import { failingProxy, responding } from "./failing-proxy.js";
import { frameworkService } from "./framework-service.js";
import {
  expectedFindings,
  findingsOf,
  quick,
  startKnownService,
  verifyQuickly,
  verifyWhole,
} from "./known-service.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startKnownService();
});
afterAll(() => mock.stop());

/** Tells which question is asked. */
function watch() {
  let question = "";
  const progress: VerifyProgress = {
    begin() {},
    step(name) {
      question = name;
    },
  };
  return { progress, current: () => question };
}

describe.concurrent("a persistent failure of one probe", () => {
  it.each([
    ["503", responding(503), /returned 503, after 2 attempts$/],
    ["502 with HTML", responding(502, "<h1>Bad Gateway</h1>"), /returned 502, after 2 attempts$/],
    ["429", responding(429), /returned 429, after 2 attempts$/],
    [
      "403 with Retry-After",
      responding(403, "{}", "0"),
      /returned 403 \(Retry-After: 0\), after 2 attempts$/,
    ],
  ])("makes what it settles not determinable, and is not learned: %s", async (_, fail, words) => {
    const { progress, current } = watch();
    await using proxy = await failingProxy(mock.url, () =>
      current() === "trailing-slash" ? fail : undefined,
    );
    const patience = { ...quick, attempts: 2, backoffMs: 1 };
    const report = await verifyQuickly(proxy, { progress, patience });
    expect(findingsOf(report)).toEqual({ ...expectedFindings, "trailing-slash": "not determinable" });
    const finding = report.assumptions.find(({ id }) => id === "trailing-slash");
    expect([finding?.why, finding?.unanswered]).toEqual([expect.stringMatching(words), true]);
    expect(report.entries.filter(({ probe }) => probe === "trailing-slash")).toEqual([]);
  });

  it("with a wrong API token is not repeated: the account may be locked", async () => {
    const { progress, current } = watch();
    const sent: string[] = [];
    await using proxy = await failingProxy(mock.url, () => {
      sent.push(current());
      return ["api-tokens", "another scheme"].includes(current()) ? responding(503) : undefined;
    });
    const { isAnswered } = await verifyQuickly(proxy, { progress });
    expect(sent.filter((name) => name === "api-tokens" || name === "another scheme")).toHaveLength(2);
    expect(isAnswered).toBe(false);
  });

  it("is a response of the service if it is a 500 each time, and a control succeeds", async () => {
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: ({ path }) =>
        path === "/api/user/" ? { status: 500, body: { success: 0, oops: 1 } } : undefined,
    });
    const target = { baseUrl: service.url, apiToken: "api-token-of-one" };
    const { assumptions, entries } = await verifyWhole(target);
    expect(assumptions.find(({ id }) => id === "trailing-slash")?.value).toBe("rejected");
    expect(entries.find(({ probe }) => probe === "trailing-slash")?.response.status).toBe(500);
  });

  it("is not a response of the service if it is a 500 only once", async () => {
    const { progress, current } = watch();
    let met = 0;
    await using proxy = await failingProxy(mock.url, () =>
      current() === "trailing-slash" && ++met === 1 ? responding(500) : undefined,
    );
    const report = await verifyQuickly(proxy, { progress });
    expect(findingsOf(report)).toEqual(expectedFindings);
    expect(JSON.stringify(report.profile)).not.toContain('"status":500');
  });

  it("is not a response of the service if it is another 500 each time", async () => {
    let n = 0;
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: ({ path }) =>
        path === "/api/user/" ? { status: 500, body: { success: 0, [`oops${++n}`]: 1 } } : undefined,
    });
    const target = { baseUrl: service.url, apiToken: "api-token-of-one" };
    const { assumptions, entries, isAnswered } = await verifyWhole(target);
    const finding = assumptions.find(({ id }) => id === "trailing-slash");
    expect(finding).toMatchObject({ value: null, why: "a request returned 500, which was not confirmed" });
    expect([isAnswered, entries.some(({ response }) => response.status === 500)]).toEqual([false, false]);
  });

  it("is not a response of the service if it is a 500 from then on, also for a control", async () => {
    const { progress, current } = watch();
    let isOut = false;
    await using proxy = await failingProxy(mock.url, () => {
      isOut ||= current() === "trailing-slash";
      return isOut ? responding(500) : undefined;
    });
    const { assumptions, profile, isAnswered } = await verifyQuickly(proxy, { progress });
    expect(assumptions.find(({ id }) => id === "trailing-slash")).toMatchObject({
      value: null,
      why: "a request returned 500, which was not confirmed",
      unanswered: true,
    });
    expect(JSON.stringify(profile)).not.toContain('"status":500');
    expect(isAnswered).toBe(false);
  });

  it("of rotate alone leaves what does not need it", async () => {
    const busy = { status: 503, body: "busy", headers: { "Retry-After": "3600" } };
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: ({ method }) => (method === "POST" ? busy : undefined),
    });
    const target = { baseUrl: service.url, apiToken: "api-token-of-one" };
    const { facts, profile, replay, isAnswered } = await verifyWhole(target);
    const why = "POST /api/user returned 503 (Retry-After: 3600), after 1 attempt";
    const open = facts.filter(({ verdict }) => verdict === "not determinable").map(({ id }) => id);
    expect(open).toEqual(["rotated", "flag", "rotatedGroup", "rotatedToken", "authorization"]);
    expect(facts[1]).toMatchObject({ verdict: "not determinable", why });
    expect(profile.assume).toMatchObject({ "name-on-create": "required", "existing-group": "unchanged" });
    expect(profile.responses).toMatchObject({ created: { status: 200 }, invalid_body: { status: 400 } });
    expect([replay.same, isAnswered]).toEqual([replay.of, false]);
  });

  it("after the first request leaves what comes later", async () => {
    await using proxy = await failingProxy(mock.url, (n) => (n > 1 && n < 10 ? responding(503) : undefined));
    const { profile, facts, isAnswered } = await verifyQuickly(proxy);
    expect(facts[1]?.why).toMatch(/returned 503, after 4 attempts$/);
    expect(profile.assume).toMatchObject({ "old-token": "rejected", "group-scope": "per-team" });
    expect(profile.responses).toMatchObject({ created: { status: 201 }, found: { status: 200 } });
    expect(isAnswered).toBe(false);
  });

  it.each([
    ["now and then", [20, 40, 60]],
    ["three times in a row", [20, 21, 22]],
  ])("is not learned if it is a 500 %s", async (_, failing) => {
    await using proxy = await failingProxy(mock.url, (n) =>
      failing.includes(n) ? responding(500) : undefined,
    );
    const report = await verifyQuickly(proxy);
    expect(findingsOf(report)).toEqual(expectedFindings);
    expect(JSON.stringify(report.profile)).not.toContain('"status":500');
    expect(report.replay.same).toBe(report.replay.of);
  });
});

describe("verify waits after a failure", () => {
  /** When the requests of a run arrive whose second and third request fail. */
  async function arrivals(retryAfter?: string) {
    const arrived: number[] = [];
    await using proxy = await failingProxy(mock.url, (n) => {
      arrived.push(performance.now());
      return n === 2 || n === 3 ? responding(503, "{}", retryAfter) : undefined;
    });
    const report = await verifyQuickly(proxy, { patience: { ...quick, backoffMs: 100 } });
    expect(findingsOf(report)).toEqual(expectedFindings);
    return arrived.map((at, n) => at - (arrived[n - 1] ?? at));
  }

  it.each([
    ["twice as long before each further attempt", undefined, 99, 199],
    ["as long as Retry-After asks for", "1", 999, 999],
    ["no longer for a Retry-After that is not in seconds", "soon", 99, 199],
  ])("%s", async (_, retryAfter, first, second) => {
    const [, , afterFirst, afterSecond] = await arrivals(retryAfter);
    expect(afterFirst).toBeGreaterThanOrEqual(first);
    expect(afterSecond).toBeGreaterThanOrEqual(second);
  });

  it("no longer than failures may take in total, and then tries nothing again", async () => {
    await using proxy = await failingProxy(mock.url, (n) =>
      n >= 5 ? responding(503, "{}", "3600") : undefined,
    );
    const { assumptions, requests } = await verifyQuickly(proxy);
    const unanswered = assumptions.filter(({ value, unanswered }) => value === null && unanswered);
    expect(unanswered.length).toBeGreaterThan(10);
    for (const { why } of unanswered)
      expect(why).toMatch(
        /returned 503 \(Retry-After: 3600\), after 1 attempt$|did not respond to 10 questions in a row$/,
      );
    expect(requests).toBe(4 + 10);
  });

  it("and goes on if the service has responded between nine failures and nine others", async () => {
    const target = { baseUrl: mock.url, apiToken: "test-api-token" };
    const service = new ServiceClient(target, { patience: { ...quick, attempts: 1 } });
    const fail = () => Promise.reject(new NoResponse("no response"));
    for (let n = 0; n < 9; n++) await service.ask("fails", fail);
    await service.ask("gets a response", () => service.create());
    for (let n = 0; n < 9; n++) await service.ask("fails", fail);
    expect((await service.ask("is asked", async () => 1)).answer).toEqual({ value: 1 });
  });
});
