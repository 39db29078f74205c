import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { FaultRequest } from "../../src/index.js";
import { refusalOf } from "../world/refusal.js";

describe("the types of a fault", () => {
  it("accept every fault that can be armed", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503, headers: { "Retry-After": "1" } });
    await mock.fault({ status: 502, text: "<html></html>", delayMs: 5, times: "always", team_id: 3 });
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    await mock.fault({ delayMs: 5, match: { properties: { region: "EU" } } });
    await mock.hold({ operation: "rotate", times: 2, skip: 1, delayMs: 5 });
    for (const status of [400, 503, 599]) await mock.fault({ status });
    const outage: FaultRequest = { status: 503, match: { mapping: { "40": "213" } } };
    await mock.fault(outage);
    expect(await mock.faults()).toHaveLength(9);
  });

  it("reject unknown fields and wrong values at compile time", async () => {
    await using mock = await startMock();
    const refused = [
      // @ts-expect-error: no such field
      mock.fault({ status: 503, probability: 0.5 }),
      // @ts-expect-error: no such operation
      mock.fault({ operation: "rotat", status: 503 }),
      // @ts-expect-error: no request has such a field
      mock.fault({ match: { user_group: "a" }, status: 503 }),
      // @ts-expect-error: an id is text
      mock.fault({ match: { user_group_id: 5 }, status: 503 }),
      // @ts-expect-error: a hold has no status
      mock.hold({ status: 503 }),
    ];
    for (const one of refused) expect((await refusalOf(one)).code).toBe("invalid_fault");
    expect(await mock.faults()).toEqual([]);
  });
});
