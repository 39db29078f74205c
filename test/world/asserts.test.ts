import { describe, expect, it } from "vitest";
import { call, create, rotate } from "../call.js";
import { bothWays } from "./both-ways.js";
import { ownWorld } from "./own-world.js";
import { refusalOf } from "./refusal.js";
import { watchCreate } from "./watched-call.js";

describe.each(bothWays)("assertFaultsFired, steered by %s", (_, steer) => {
  const own = ownWorld(steer);

  it("passes where nothing is armed, and where everything that was armed has fired", async () => {
    await own.world.assertFaultsFired();
    await own.world.fault({ status: 503, times: 5 });
    await create(own.world.url, "a");
    await own.world.assertFaultsFired();
  });

  it("fails with the faults that no call met, as they were armed", async () => {
    await own.world.fault({ status: 503 });
    await own.world.fault({ operation: "rotate", match: { filename: "f" }, delayMs: 5 });
    await own.world.hold({ times: 2 });
    await create(own.world.url, "a");
    const { code, message } = await refusalOf(own.world.assertFaultsFired());
    expect(code).toBe("fault_never_fired");
    expect(message.split("\n")).toEqual([
      "These faults were armed and no call ever met them:",
      '  /faults/2: {"operation":"rotate","match":{"filename":"f"},"delayMs":5}',
      '  /faults/3: {"times":2,"hold":true}',
    ]);
  });

  it("speaks no more of what was removed or reset", async () => {
    const unmet = await own.world.fault({ status: 503 });
    await unmet.remove();
    await own.world.assertFaultsFired();
    await own.world.fault({ status: 503 });
    await own.world.reset();
    await own.world.assertFaultsFired();
  });
});

describe.each(bothWays)("assertNoFailures, steered by %s", (_, steer) => {
  const own = ownWorld(steer);

  it("passes where every call succeeded, and where none was made", async () => {
    await own.world.assertNoFailures();
    await create(own.world.url, "a");
    await own.world.fault({ delayMs: 1 });
    await create(own.world.url, "b");
    await own.world.assertNoFailures();
  });

  it("fails with every call that did not succeed: what was sent, what came back and why", async () => {
    const { token } = (await create(own.world.url, "a")).body.user_group;
    await rotate(own.world.url, token);
    await rotate(own.world.url, token);
    await own.world.fault({ status: 429, body: { slow: "down" } });
    await create(own.world.url, "a");
    await own.world.fault({ reset: true });
    await watchCreate(own.world.url, "a");
    await call("GET", `${own.world.url}/nowhere?x=1`);
    const { code, message } = await refusalOf(own.world.assertNoFailures());
    expect(code).toBe("failures");
    const [summary, ...lines] = message.split("\n");
    expect(summary).toBe("4 of 6 calls did not succeed:");
    const sent = '{"user_group_id":"a","name":"a"}';
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      /^ {2}\/requests\/3: .*POST \/api\/user \{"current_token":"[0-9a-f]{64}"\} → 404 /,
    );
    expect(lines[0]).toMatch(/"code":"unknown_token".* \(current_token was rotated out by request 2\)$/);
    expect(lines[1]).toContain(`GET /api/user ${sent} → 429 {"slow":"down"} (fault 1 fired)`);
    expect(lines[2]).toContain(`GET /api/user ${sent} → no answer (fault 2 fired)`);
    expect(lines[3]).toMatch(/^ {2}\/requests\/6: .*GET \/nowhere\?x=1 → 404 \{"success":0,.*\}$/);
  });

  it("speaks no more of what was cleared or reset", async () => {
    await rotate(own.world.url, "unheard-of");
    await own.world.clearRequests();
    await own.world.assertNoFailures();
    await rotate(own.world.url, "unheard-of");
    await own.world.reset();
    await own.world.assertNoFailures();
  });
});
