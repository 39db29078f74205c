import { describe, expect, it } from "vitest";
import type { OneFault } from "../../src/contract/fault-request.js";
import { startMock } from "../../src/mock/start-mock.js";
import { refusalOf } from "../world/refusal.js";

describe("the types of a fault", () => {
  it("accept every fault that can be armed", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503, headers: { "Retry-After": "1" } });
    await mock.fault({ status: 502, text: "<html></html>", delayMs: 5, times: "always", team_id: 3 });
    await mock.fault({ status: 429, body: { slow: "down" }, probability: 0.5 });
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    await mock.fault({ dribble: true, delayMs: 5 });
    await mock.fault({ delayMs: 5, match: { properties: { region: "EU" } } });
    await mock.fault({ hold: true, delayMs: 5 });
    await mock.hold({ operation: "rotate", times: 2, skip: 1 });
    // Values whose literal types TypeScript does not know.
    for (const status of [400, 503, 599]) await mock.fault({ status });
    const outage: OneFault = { status: 503, match: { mapping: { "40": "213" } } };
    await mock.fault(outage);
    const codes = [429, 502] as const;
    for (const status of codes) await mock.fault({ status, times: "always" });
    expect(await mock.faults()).toHaveLength(14);
  });

  it("reject at compile time what is rejected when it is armed", async () => {
    await using mock = await startMock();
    const refused = [
      // @ts-expect-error: no effect
      mock.fault({}),
      // @ts-expect-error: no effect
      mock.fault({ operation: "rotate" }),
      // @ts-expect-error: two effects
      mock.fault({ status: 503, reset: true }),
      // @ts-expect-error: two effects
      mock.fault({ truncate: true, malformed: true }),
      // @ts-expect-error: both a body and a text
      mock.fault({ status: 503, body: {}, text: "x" }),
      // @ts-expect-error: headers without a status
      mock.fault({ reset: true, headers: { a: "b" } }),
      // @ts-expect-error: dribble without its duration
      mock.fault({ dribble: true }),
      // @ts-expect-error: a hold has no body
      mock.hold({ status: 503 }),
      // @ts-expect-error: no such operation
      mock.fault({ operation: "rotat", status: 503 }),
      // @ts-expect-error: not a failure
      mock.fault({ status: 200 }),
      // @ts-expect-error: not a failure
      mock.fault({ operation: "rotate", status: 600, times: 2 }),
      // @ts-expect-error: no request has such a field
      mock.fault({ match: { user_group: "a" }, status: 503 }),
      // @ts-expect-error: an id is text
      mock.fault({ match: { user_group_id: 5 }, status: 503 }),
      // @ts-expect-error: an id is text
      mock.hold({ match: { user_group_id: 5 } }),
    ];
    for (const one of refused) expect((await refusalOf(one)).code).toBe("invalid_fault");
    expect(await mock.faults()).toEqual([]);
  });
});
