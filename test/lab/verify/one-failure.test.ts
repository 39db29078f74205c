import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mock } from "../../../src/index.js";
import { isLong } from "../../long.js";
import { type FailureName, failingProxy, failureNames, failures } from "./failing-proxy.js";
import { expectedFindings, findingsOf, quick, startKnownService, verifyQuickly } from "./known-service.js";

/** The number of runs at the same time: those with a silent connection wait. */
const atOnce = 16;

describe("one failure at one request of verify", () => {
  let mock: Mock;
  /** The step of each request of a run without failures. */
  const steps: string[] = [];

  beforeAll(async () => {
    mock = await startKnownService();
    let current = "";
    await using proxy = await failingProxy(mock.url, () => {
      steps.push(current);
      return undefined;
    });
    const onBegin = (step: string) => {
      current = step;
    };
    const report = await verifyQuickly(proxy, { onBegin });
    expect(findingsOf(report)).toEqual(expectedFindings);
  });

  afterAll(() => mock.stop());

  /** Lets request `failing` fail. Returns the wrong findings, or how many more requests were sent. */
  async function runWith(name: FailureName, failing: number): Promise<string> {
    const { fail, isLost } = failures[name];
    const world = mock.world(`${name.replaceAll(" ", "-")}-${failing}`);
    await using proxy = await failingProxy(world.url, (n) => (n === failing ? fail : undefined), isLost);
    // The steps after it would take as long again.
    const last = steps[failing - 1];
    const findings: Record<string, string> = {};
    // Throws when nothing more is needed.
    const onDone = (step: string, result: string) => {
      if (step !== steps[0]) findings[step] = result;
      if (step === last) throw new Error("enough");
    };
    // On a busy machine, other requests may time out too, and are repeated.
    const patience = name === "silent" ? { ...quick, timeoutMs: 1_000 } : quick;
    await verifyQuickly(proxy, { onDone, patience }).catch(({ message }) => {
      if (message !== "enough") findings[steps[0] ?? ""] = message;
    });
    await world.drop();
    const expected = steps.slice(0, steps.lastIndexOf(last ?? "") + 1);
    const wrong = [...new Set(expected)].filter((step) => findings[step] !== expectedFindings[step]);
    return wrong.length === 0
      ? `same (+${proxy.requests() - expected.length})`
      : wrong.map((step) => `${step}: ${findings[step]}`).join(", ");
  }

  it.each(failureNames)("does not change a result: %s", { timeout: 60_000 }, async (name) => {
    const column: string[] = [];
    // Every other request fails once, with one of the failures. The long tests try all failures at all requests.
    const isChosen = (request: number) =>
      request % (2 * failureNames.length) === 2 * failureNames.indexOf(name);
    const chosen = [...steps.keys()].filter((request) => isLong || isChosen(request));
    const waiting = [...chosen];
    const work = async () => {
      for (let i = waiting.shift(); i !== undefined; i = waiting.shift())
        column[i] = await runWith(name, i + 1);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect([...new Set(steps)]).toEqual(["first request", ...Object.keys(expectedFindings)]);
    expect(Object.keys(column)).toEqual(chosen.map(String));
    // At least the failed request was repeated.
    expect(column.filter((cell) => !/^same \(\+[1-9]\d*\)$/.test(cell))).toEqual([]);
  });
});
