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

describe("one failure at one request of verify", () => {
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

  /** Lets request `failing` fail. Returns what is different then. */
  async function runWith(name: FailureName, failing: number): Promise<unknown> {
    const { fail, isLost } = failures[name];
    const world = mock.world(`${name.replaceAll(" ", "-")}-${failing}`);
    await using proxy = await failingProxy(world.url, (n) => (n === failing ? fail : undefined), isLost);
    // On a busy machine, other requests may time out too, and are repeated.
    const patience = ["silent", "slow bytes"].includes(name) ? { ...quick, timeoutMs: 1_000 } : quick;
    const report = await verifyQuickly(proxy, { patience });
    await world.drop();
    expect(report.profile.assume).toEqual(undisturbed.profile.assume);
    expect(Object.keys(Object(report.profile.responses))).toEqual(
      Object.keys(Object(undisturbed.profile.responses)),
    );
    expect(findingsOf(report)).toEqual(expectedFindings);
    return report.replay.different;
  }

  it.each(failureNames)(
    "changes neither a finding nor the profile: %s",
    { timeout: isLong ? 600_000 : 120_000 },
    async (name) => {
      // The long tests try all failures at all requests.
      const isChosen = (request: number) => isLong || request % 24 === 4 * failureNames.indexOf(name);
      const waiting = Array.from({ length: requests }, (_, i) => i + 1).filter(isChosen);
      expect(waiting.length).toBeGreaterThan(1);
      const work = async () => {
        for (let n = waiting.shift(); n !== undefined; n = waiting.shift())
          expect(await runWith(name, n), `request ${n}`).toEqual(undisturbed.replay.different);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    },
  );
});
