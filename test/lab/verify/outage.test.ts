import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../../src/index.js";
import { type Patience, usualPatience } from "../../../src/lab/verify/service-client.js";
import { checkCount } from "../../../src/lab/verify/verify-service.js";
import { isLong } from "../../long.js";
import { failingProxy, failureNames, failures, responding } from "./failing-proxy.js";
import {
  expectedFindings,
  findingsOf,
  quick,
  reasonsIn,
  startKnownService,
  verifyQuickly,
} from "./known-service.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startKnownService();
});
afterAll(() => mock.stop());

const steps = ["first request", ...Object.keys(expectedFindings)];

/** The reason for each persistent failure. */
const words = {
  "429": /^(GET|POST) \/\S+ returned 429 Too Many Requests, after 2 attempts$/,
  "502 with HTML": /^(GET|POST) \/\S+ returned 502 Bad Gateway, after 2 attempts$/,
  "503": /^(GET|POST) \/\S+ returned 503 Service Unavailable, after 2 attempts$/,
  reset: /^(GET|POST) \/\S+ failed: .*(ECONNRESET|socket hang up).*, after 2 attempts$/,
  silent: /^(GET|POST) \/\S+ failed: no complete response within 1 s, after 2 attempts$/,
} as const;

const impatient: Patience = { ...quick, attempts: 2, backoffMs: 1 };

describe.concurrent("a persistent failure", () => {
  // A silent connection takes long, so it disturbs fewer steps, and only in a long run.
  const names = isLong ? failureNames : (["502 with HTML", "503", "reset"] as const);
  const cases = names.flatMap((name) => {
    const every = name !== "silent" ? 2 : 8;
    const first = [name, every, 0] as const;
    return isLong ? [first, [name, every, 1] as const] : [first];
  });

  it.concurrent.each(cases)(
    "makes exactly the disturbed facts and questions not determinable: %s in one of %i steps, from step %i",
    { timeout: 60_000 },
    async (name, every, rest) => {
      let current = 0;
      const isDisturbed = (step: number) => step > 0 && step % every === rest;
      const { fail, isLost } = failures[name];
      await using proxy = await failingProxy(
        mock.url,
        () => (isDisturbed(current) ? fail : undefined),
        isLost,
      );
      const onBegin = (step: string) => {
        current = steps.indexOf(step);
      };
      const patience = name === "silent" ? { ...impatient, timeoutMs: 1_000 } : impatient;
      const report = await verifyQuickly(proxy, { onBegin, patience });
      const expected = Object.entries(expectedFindings).map(([step, result]) => [
        step,
        isDisturbed(steps.indexOf(step)) ? "not determinable" : result,
      ]);
      expect(findingsOf(report)).toEqual(Object.fromEntries(expected));
      expect(Object.values(reasonsIn(report)).filter((why) => !words[name].test(why))).toEqual([]);
      expect(report.assumptions.filter(({ unanswered }) => unanswered)).toEqual(
        report.assumptions.filter(({ value }) => value === null),
      );
    },
  );

  it.each([
    ["broken JSON", responding(200, '{"success":'), "GET /api/user returned 200 OK without JSON"],
    [
      "403 with Retry-After",
      responding(403, "{}", "0"),
      "GET /api/user returned 403 Forbidden (Retry-After: 0)",
    ],
  ])("is not mistaken for a response of the service: %s", async (_, fail, why) => {
    await using proxy = await failingProxy(mock.url, (n) => (n === 2 || n === 3 ? fail : undefined));
    const report = await verifyQuickly(proxy, { patience: impatient });
    expect(Object.values(reasonsIn(report))).toEqual([`${why}, after 2 attempts`]);
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

  it("1, 2 and 4 seconds by default", () => {
    expect(usualPatience).toEqual({ timeoutMs: 10_000, attempts: 4, backoffMs: 1_000, totalMs: 300_000 });
  });

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
      n >= 2 ? responding(503, "{}", "3600") : undefined,
    );
    const whys = Object.values(reasonsIn(await verifyQuickly(proxy)));
    expect(whys).toHaveLength(checkCount);
    for (const why of whys)
      expect(why).toMatch(/returned 503 Service Unavailable \(Retry-After: 3600\), after 1 attempt$/);
    expect(proxy.requests()).toBe(1 + checkCount);
  });
});

describe.concurrent("verify", () => {
  it("slows down after a 429 without Retry-After", { timeout: 60_000 }, async () => {
    let free = 0;
    let rejected = 0;
    await using proxy = await failingProxy(mock.url, () => {
      const now = performance.now();
      if (now < free) {
        rejected++;
        return responding(429);
      }
      free = now + 20;
      return undefined;
    });
    const patience = { ...quick, backoffMs: 40 };
    expect(findingsOf(await verifyQuickly(proxy, { patience }))).toEqual(expectedFindings);
    expect(rejected).toSatisfy((count: number) => count > 0 && count < 20);
  });
});
