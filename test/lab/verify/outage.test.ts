import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../../src/index.js";
import type { Patience } from "../../../src/lab/verify/pace.js";
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
  silent: /^(GET|POST) \/\S+ failed: no response within 1 s, after 2 attempts$/,
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
      const begin = (step: string) => {
        current = steps.indexOf(step);
      };
      const patience = name === "silent" ? { ...impatient, timeoutMs: 1_000 } : impatient;
      const report = await verifyQuickly(proxy, { watch: { begin, done: () => {} }, patience });
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
  /** The pauses of a run whose second request fails, until `stopAfter` of them. */
  async function pausesAfter(retryAfter: string | undefined, stopAfter: number) {
    const pauses: (readonly [ms: number, why: string])[] = [];
    await using proxy = await failingProxy(mock.url, (n) =>
      n >= 2 ? responding(503, "{}", retryAfter) : undefined,
    );
    const wait = (ms: number, why: string) => {
      pauses.push([ms, why]);
      if (pauses.length === stopAfter) throw new Error("enough");
    };
    const watch = { begin: () => {}, done: () => {}, wait };
    const patience = { ...quick, backoffMs: 100 };
    const report = await verifyQuickly(proxy, { watch, patience }).catch(() => undefined);
    return { pauses, report, requests: proxy.requests() };
  }

  it("twice as long before each further attempt", async () => {
    const { pauses } = await pausesAfter(undefined, 4);
    expect(pauses.map(([ms]) => Math.round(ms / 100))).toEqual([1, 2, 4, 1]);
    expect(new Set(pauses.map(([, why]) => why))).toEqual(
      new Set(["GET /api/user returned 503 Service Unavailable"]),
    );
  });

  const inMs = (ms: number) => new Date(Date.now() + ms).toUTCString();
  it.each([
    ["seconds", () => "7", 7],
    // A date has no milliseconds.
    ["a date", () => inMs(20_500), 20],
    ["a date in the past", () => inMs(-20_000), 0.1],
    ["nonsense", () => "soon", 0.1],
  ])("as long as Retry-After asks for: %s", async (_, header, seconds) => {
    const retryAfter = header();
    const { pauses } = await pausesAfter(retryAfter, 1);
    const [[ms, why] = [0, ""]] = pauses;
    expect(why).toBe(`GET /api/user returned 503 Service Unavailable (Retry-After: ${retryAfter})`);
    expect(Math.abs(ms / 1000 - seconds)).toBeLessThan(seconds / 10);
  });

  it("no longer than failures may take in total, and then sends nothing", async () => {
    const { pauses, report, requests } = await pausesAfter("3600", 1);
    expect([pauses, requests]).toEqual([[], 2]);
    const whys = Object.values(report === undefined ? {} : reasonsIn(report));
    expect(whys).toHaveLength(checkCount);
    expect(new Set(whys)).toEqual(
      new Set([
        "GET /api/user returned 503 Service Unavailable (Retry-After: 3600); verify stops after 60 s of failures",
      ]),
    );
  });

  it("for a silent service no longer than failures may take in total", async () => {
    await using proxy = await failingProxy(mock.url, (n) => (n >= 2 ? () => {} : undefined));
    const report = await verifyQuickly(proxy, { patience: { ...quick, totalMs: 1_000, backoffMs: 200 } });
    expect(proxy.requests()).toBe(2);
    expect(Object.keys(reasonsIn(report))).toHaveLength(checkCount);
    for (const why of Object.values(reasonsIn(report)))
      expect(why).toBe("GET /api/user failed: no response within 1 s; verify stops after 1 s of failures");
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
