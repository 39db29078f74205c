import { describe, expect, it } from "vitest";
import { call, create, rotate } from "../call.js";
import { ownWorld } from "../fake/world/own-world.js";
import { rejectionOf } from "../fake/world/rejection.js";
import { watchCreate } from "../fake/world/watched-call.js";
import { seededToken } from "../seeded.js";

describe("assertFaultsFired", () => {
  const own = ownWorld();

  it("passes if no fault is armed, or if every fault has fired", async () => {
    await own.world.assertFaultsFired();
    await own.world.fault({ status: 503, times: 2 });
    await own.world.fault({ status: 502, times: "always" });
    for (let n = 0; n < 3; n++) await create(own.world.url, "a");
    await own.world.assertFaultsFired();
  });

  it("lists each fault with its rule, how often it fired, and the closest requests", async () => {
    await own.world.fault({ status: 503, times: 2 });
    await own.world.fault({ operation: "rotate", match: { filename: "f" }, delayMs: 5 });
    await own.world.hold({ times: 2 });
    await create(own.world.url, "a");
    await rotate(own.world.url, seededToken);
    const { code, message } = await rejectionOf(own.world.assertFaultsFired());
    expect(code).toBe("fault_never_fired");
    expect(message.split("\n")).toEqual([
      "2 of 3 faults did not fire as often as expected. Faults and near misses:",
      '  /faults/2: fired 0 of 1 times: {"operation":"rotate","match":{"filename":"f"},"delayMs":5}',
      "  /requests/2: filename was not sent",
      '  /faults/3: fired 0 of 2 times: {"times":2,"hold":true}',
      "  /requests/2: it matched, but fault 1 fired instead",
      "  /requests/1: it matched, but fault 1 fired instead",
    ]);
  });

  it("ignores faults that were removed or reset", async () => {
    const unmet = await own.world.fault({ status: 503 });
    await unmet.remove();
    await own.world.assertFaultsFired();
    await own.world.fault({ status: 503 });
    await own.world.reset();
    await own.world.assertFaultsFired();
  });
});

describe("assertNoFailures", () => {
  const own = ownWorld();

  it("passes if every request succeeded, or if there was none", async () => {
    await own.world.assertNoFailures();
    await create(own.world.url, "a");
    await own.world.fault({ delayMs: 1 });
    await create(own.world.url, "b");
    await own.world.assertNoFailures();
  });

  it("lists every failed request with its cause, except those that a fault broke", async () => {
    const { token } = (await create(own.world.url, "a")).body.user_group;
    await rotate(own.world.url, token);
    await rotate(own.world.url, token);
    await own.world.fault({ status: 429, body: { slow: "down" } });
    await create(own.world.url, "a");
    await own.world.fault({ reset: true });
    await watchCreate(own.world.url, "a");
    await call("GET", `${own.world.url}/nowhere?x=1`);
    const { code, message } = await rejectionOf(own.world.assertNoFailures());
    expect(code).toBe("failures");
    const [summary, ...lines] = message.split("\n");
    expect(summary).toBe("2 of 6 requests failed:");
    expect(lines).toEqual([
      `  /requests/3: POST /api/user {"current_token":"${token}"} → 404 unknown_token: The current_token was rotated out by request 2. Use the group's latest token.`,
      expect.stringMatching(/^ {2}\/requests\/6: GET \/nowhere\?x=1 → 404 not_found: There is no GET /),
    ]);
  });

  it("shows the beginning of a long body", async () => {
    await rotate(own.world.url, "x".repeat(90_000));
    const { message } = await rejectionOf(own.world.assertNoFailures());
    expect(message).toMatch(/POST \/api\/user \{"current_token":"x+… → 404 /);
    expect(message.length).toBeLessThan(3_000);
  });

  it("ignores requests that were cleared or reset", async () => {
    await rotate(own.world.url, "unheard-of");
    await own.world.clearRequests();
    await own.world.assertNoFailures();
    await rotate(own.world.url, "unheard-of");
    await own.world.reset();
    await own.world.assertNoFailures();
  });
});
