import { afterEach, describe, expect, it } from "vitest";
import { connectMock } from "../../../../src/client/connect-mock.js";
import type { World } from "../../../../src/client/world.js";
import { TrackedFault } from "../../../../src/fake/world/faults/faults.js";
import type { FaultRequest } from "../../../../src/index.js";
import { create, rotate } from "../../../call.js";
import { seededToken } from "../../../seeded.js";
import { type ServedApp, serveApp } from "../../server/serve-app.js";
import { sendRotation, watchRotate } from "../watched-call.js";

let app: ServedApp;
afterEach(() => app.close());

/** A mock of a run that injects a failure into the first request. */
async function injecting(rule: FaultRequest): Promise<World> {
  const failures = [new TrackedFault(0, rule, "the injected failure rotate#1=some")];
  app = await serveApp({ run: { inject: () => failures.shift(), completed: () => {} } });
  return connectMock(app.url);
}

// test/run/injection.test.ts has which request gets which failure.
describe("a failure that a run injects", () => {
  it("is named in the cause of its request, which has no fault of the world", async () => {
    const world = await injecting({ status: 503 });
    await rotate(world.url, seededToken);
    const message = "The injected failure rotate#1=some responded with 503; the request had no effect.";
    const [entry] = await world.requests();
    expect([entry?.fault, entry?.cause]).toEqual([null, { code: "injected", message }]);
  });

  it("is the cause, and not the disconnect of a client that waited for a response in vain", async () => {
    const world = await injecting({ hold: true });
    const client = sendRotation(world.url, seededToken);
    // Its body has arrived.
    await expect
      .poll(() => world.requests({ outcome: "pending" }))
      .toMatchObject([{ request: { body: { current_token: seededToken } } }]);
    await client.disconnect();
    const { outcome, delivery, cause } = await world.waitForRequest();
    expect([outcome, delivery, cause]).toEqual([
      "fault",
      "caller-left",
      { code: "injected", message: "The injected failure rotate#1=some never responds." },
    ]);
  });

  it("is why a request that a fault of the world matches did not meet it", async () => {
    const world = await injecting({ status: 503 });
    await world.fault({ status: 418 });
    await create(world.url);
    const reason = "it matched, but an injected failure replaced its response";
    expect(await world.faults()).toMatchObject([{ fired: 0, nearMisses: [{ request: 1, reason }] }]);
  });

  it("explains why the token of a rotation whose response it prevented is rejected later", async () => {
    const world = await injecting({ reset: true, phase: "after" });
    await watchRotate(world.url, seededToken);
    const { body } = await rotate(world.url, seededToken);
    expect(body.error.message).toBe(
      "The current_token was rotated out by request 1, whose response was lost." +
        " Look the group up to get its new token.",
    );
  });
});
