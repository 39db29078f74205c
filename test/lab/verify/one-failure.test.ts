import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../../src/index.js";
import { isLong } from "../../long.js";
import { type FailureName, failingProxy, failureNames, failures } from "./failing-proxy.js";
import {
  expectedFindings,
  findingsOf,
  quick,
  startKnownService,
  verifyQuickly,
  type WholeReport,
} from "./known-service.js";

/** How many requests with a wrong API token, and about them, come before the further ones. */
const wrongApiTokens = 7;

/** The number of runs at the same time: those with a silent connection wait. */
const atOnce = 8;

/** Which requests of a run fail, and how. */
type Plan = ReadonlyMap<number, FailureName>;

const quarter = 18;
const quarters = [0, 1, 2, 3];

/** Each run has each failure once, far apart. In all of them, each failure meets each quarter of the requests. */
const usualPlans: readonly Plan[] = quarters.map(
  (run) =>
    new Map(
      failureNames.map((name, i) => [quarter * ((i + run) % quarters.length) + (quarter / 6) * i + 1, name]),
    ),
);

/** Each failure at each request, one in a run. */
function allPlans(requests: number): Plan[] {
  const numbers = Array.from({ length: requests }, (_, i) => i + 1);
  return failureNames.flatMap((name) => numbers.map((n) => new Map([[n, name]])));
}

describe("single failures during verify", () => {
  let mock: Mock;
  let undisturbed: WholeReport;
  let requests: number;

  beforeAll(async () => {
    mock = await startKnownService();
    undisturbed = await verifyQuickly(mock.world("undisturbed"));
    // Requests with a wrong API token are sent once only, and nothing is learned from the 24 further ones.
    requests = undisturbed.requests - undisturbed.further.of - wrongApiTokens;
    expect(findingsOf(undisturbed)).toEqual(expectedFindings);
  });

  afterAll(() => mock.stop());

  /** Returns what is different if requests fail. */
  async function runWith(plan: Plan): Promise<unknown> {
    const world = mock.world([...plan].join("-").replaceAll(/[ ,]/g, "-"));
    let met = 0;
    await using proxy = await failingProxy(world.url, (n) => {
      const name = plan.get(n);
      if (name === undefined) return undefined;
      met++;
      return failures[name];
    });
    const waits = [...plan.values()].some((name) => name === "silent" || name === "slow bytes");
    // On a busy machine, other requests may time out too, and are repeated.
    const report = await verifyQuickly(proxy, { patience: waits ? { ...quick, timeoutMs: 1_000 } : quick });
    await world.drop();
    expect(met).toBe(plan.size);
    expect(report.profile.assume).toEqual(undisturbed.profile.assume);
    expect(Object.keys(Object(report.profile.responses))).toEqual(
      Object.keys(Object(undisturbed.profile.responses)),
    );
    expect(findingsOf(report)).toEqual(expectedFindings);
    return report.replay.different;
  }

  it("change neither a finding nor the profile", { timeout: isLong ? 3_600_000 : 120_000 }, async () => {
    // The long tests try all failures at all requests.
    const waiting = isLong ? allPlans(requests) : [...usualPlans];
    expect(Math.max(...waiting.flatMap((plan) => [...plan.keys()]))).toBeLessThanOrEqual(requests);
    const work = async () => {
      for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift())
        expect(await runWith(plan), JSON.stringify([...plan])).toEqual(undisturbed.replay.different);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  });
});
