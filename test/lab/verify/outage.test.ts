import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../../src/index.js";
import { GroupClient } from "../../../src/lab/verify/service/group-client.js";
import { NoResponse } from "../../../src/lab/verify/service/not-determinable.js";
import type { Patience } from "../../../src/lab/verify/service/retries.js";
import type { VerifyProgress } from "../../../src/lab/verify/verify-service.js";
import { type FailingProxy, failingProxy, responding } from "./failing-proxy.js";
import { frameworkService } from "./framework-service.js";
import {
  askQuestions,
  askQuickly,
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

/** A client of the known service, behind a proxy. */
function clientOf(proxy: FailingProxy, patience: Partial<Patience>): GroupClient {
  const target = { baseUrl: proxy.url, apiToken: "test-api-token" };
  return new GroupClient(target, { patience: { ...quick, ...patience } });
}

it.each([
  ["503", responding(503), /returned 503, after 2 attempts$/],
  ["502 with HTML", responding(502, "<h1>Bad Gateway</h1>"), /returned 502, after 2 attempts$/],
  ["429", responding(429), /returned 429, after 2 attempts$/],
  ["403 with Retry-After", responding(403, "{}", "0"), /returned 403 \(Retry-After: 0\), after 2 attempts$/],
])("a question stays open, and nothing is learned from it, if the response is %s", async (_, fail, words) => {
  await using proxy = await failingProxy(mock.url, () => fail);
  const service = clientOf(proxy, { attempts: 2, backoffMs: 1 });
  const asked = await service.ask("any", () => service.create());
  expect(asked).toEqual({ answer: { why: expect.stringMatching(words), unanswered: true }, entries: [] });
  expect(proxy.requests()).toBe(2);
});

describe.concurrent("a persistent failure of one question", () => {
  it("makes what it settles not determinable, and is not learned", async () => {
    const { progress, current } = watch();
    await using proxy = await failingProxy(mock.url, () =>
      current() === "trailing-slash" ? responding(503) : undefined,
    );
    const report = await verifyQuickly(proxy, { progress });
    expect(findingsOf(report)).toEqual({ ...expectedFindings, "trailing-slash": "not determinable" });
    expect(report.assumptions.find(({ id }) => id === "trailing-slash")?.unanswered).toBe(true);
    expect(report.entries.filter(({ question }) => question === "trailing-slash")).toEqual([]);
  });

  it("is a response of the service if it is a 500 each time, and a control succeeds", async () => {
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: ({ path }) =>
        path === "/api/user/" ? { status: 500, body: { success: 0, oops: 1 } } : undefined,
    });
    const { assumptions } = await askQuestions({ baseUrl: service.url, apiToken: "api-token-of-one" });
    expect(assumptions.find(({ id }) => id === "trailing-slash")?.value).toBe("rejected");
  });

  it.each([2, 3, 4])(
    "breaks no fact if it is a single 500, to request %i, about the first group",
    async (place) => {
      let n = 0;
      await using service = await frameworkService({
        reject: () => ({ status: 400, body: { success: 0 } }),
        before: () => (++n === place ? { status: 500, body: { success: 0 } } : undefined),
      });
      const report = await askQuestions({ baseUrl: service.url, apiToken: "api-token-of-one" });
      expect(report.facts.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
      expect(report.unanswered).toEqual([]);
    },
  );

  it("breaks facts if it is a 500 to each rotation, which takes effect", async () => {
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      deviate: (correct, { method }) => {
        const isRotated = method === "POST" && correct.status === 200;
        return isRotated ? { status: 500, body: { success: 0, message: "after the commit" } } : correct;
      },
    });
    const { facts, assumptions } = await askQuestions({ baseUrl: service.url, apiToken: "api-token-of-one" });
    expect(facts.find(({ id }) => id === "rotated")?.verdict).toBe("broken");
    expect(assumptions.find(({ id }) => id === "rotated-token")?.unanswered).toBeUndefined();
  });

  it("is not a response of the service if it is another 500 each time", async () => {
    let n = 0;
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: ({ path }) =>
        path === "/api/user/" ? { status: 500, body: { success: 0, [`oops${++n}`]: 1 } } : undefined,
    });
    const target = { baseUrl: service.url, apiToken: "api-token-of-one" };
    const { assumptions, unanswered } = await askQuestions(target);
    const finding = assumptions.find(({ id }) => id === "trailing-slash");
    expect(finding).toMatchObject({ value: null, why: "a request returned 500, which was not confirmed" });
    expect(unanswered).not.toEqual([]);
  });

  it("is not a response of the service if it is a 500 from then on, also for a control", async () => {
    const { progress, current } = watch();
    let isOut = false;
    await using proxy = await failingProxy(mock.url, () => {
      isOut ||= current() === "trailing-slash";
      return isOut ? responding(500) : undefined;
    });
    const { assumptions, profile, unanswered } = await verifyQuickly(proxy, { progress });
    expect(assumptions.find(({ id }) => id === "trailing-slash")).toMatchObject({
      value: null,
      why: "a request returned 500, which was not confirmed",
      unanswered: true,
    });
    expect(JSON.stringify(profile)).not.toContain('"status":500');
    expect(unanswered).not.toEqual([]);
  });

  it("of rotate alone leaves what does not need it", async () => {
    const busy = { status: 503, body: "busy", headers: { "Retry-After": "3600" } };
    await using service = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0 } }),
      before: ({ method }) => (method === "POST" ? busy : undefined),
    });
    const target = { baseUrl: service.url, apiToken: "api-token-of-one" };
    const { facts, profile, replay, unanswered } = await verifyWhole(target);
    const why = "POST /api/user returned 503 (Retry-After: 3600), after 1 attempt";
    const open = facts.filter(({ verdict }) => verdict === "not determinable").map(({ id }) => id);
    expect(open).toEqual(["rotated", "flag", "rotatedGroup", "rotatedToken", "authorization"]);
    expect(facts[1]).toMatchObject({ verdict: "not determinable", why });
    expect(profile.assume).toMatchObject({ "name-on-create": "required", "existing-group": "unchanged" });
    expect(profile.responses).toMatchObject({ created: { status: 200 }, invalid_body: { status: 400 } });
    expect(replay.same).toBe(replay.of);
    expect(unanswered).not.toEqual([]);
  });

  it("after the first request leaves what comes later", async () => {
    await using proxy = await failingProxy(mock.url, (n) => (n > 1 && n < 10 ? responding(503) : undefined));
    const report = await askQuickly(proxy);
    expect(report.facts[1]?.why).toMatch(/returned 503, after 4 attempts$/);
    expect(findingsOf(report)).toMatchObject({ "old-token": "rejected", "group-scope": "per-team" });
    expect(report.unanswered).not.toEqual([]);
  });

  it("is not learned if it is a 500 now and then, and three times in a row", async () => {
    await using proxy = await failingProxy(mock.url, (n) =>
      [20, 40, 60, 61, 62].includes(n) ? responding(500) : undefined,
    );
    const report = await verifyQuickly(proxy);
    expect(findingsOf(report)).toEqual(expectedFindings);
    expect(JSON.stringify(report.profile)).not.toContain('"status":500');
    expect(report.replay.same).toBe(report.replay.of);
  });
});

describe("verify waits after a failure", () => {
  it.each([
    ["twice as long before each further attempt", undefined, 99, 199],
    ["as long as Retry-After asks for", "1", 999, 999],
    ["no longer for a Retry-After that is not in seconds", "soon", 99, 199],
  ])("%s", async (_, retryAfter, first, second) => {
    const arrived: number[] = [];
    await using proxy = await failingProxy(mock.url, (n) => {
      arrived.push(performance.now());
      return n < 3 ? responding(503, "{}", retryAfter) : undefined;
    });
    const service = clientOf(proxy, { backoffMs: 100 });
    const { answer } = await service.ask("any", () => service.create());
    expect(answer.value?.status).toBe(201);
    const [one = 0, two = 0, three = 0, ...others] = arrived;
    expect(others).toEqual([]);
    expect(two - one).toBeGreaterThanOrEqual(first);
    expect(three - two).toBeGreaterThanOrEqual(second);
  });

  it("no longer than failures may take in total, and asks nothing after ten questions without a response", async () => {
    await using proxy = await failingProxy(mock.url, () => responding(503, "{}", "3600"));
    const service = clientOf(proxy, {});
    const ask = async () => (await service.ask("any", () => service.create())).answer;
    const why = expect.stringMatching(/returned 503 \(Retry-After: 3600\), after 1 attempt$/);
    for (let n = 0; n < 10; n++) expect(await ask()).toEqual({ why, unanswered: true });
    expect(await ask()).toEqual({
      why: "the service did not respond to 10 questions in a row",
      unanswered: true,
    });
    expect(proxy.requests()).toBe(10);
  });

  it("and goes on if the service has responded between nine failures and nine others", async () => {
    const target = { baseUrl: mock.url, apiToken: "test-api-token" };
    const service = new GroupClient(target, { patience: { ...quick, attempts: 1 } });
    const fail = () => Promise.reject(new NoResponse("no response"));
    for (let n = 0; n < 9; n++) await service.ask("fails", fail);
    await service.ask("gets a response", () => service.create());
    for (let n = 0; n < 9; n++) await service.ask("fails", fail);
    expect((await service.ask("is asked", async () => 1)).answer).toEqual({ value: 1 });
  });
});
