import { describe, expect, it } from "vitest";
import { startServer } from "../../../../src/client/start-server.js";
import { durationWords } from "../../../../src/foundation/grammar.js";
import type { FaultRequest } from "../../../../src/index.js";
import { resolveOptions } from "../../../../src/options/resolve-options.js";
import { create, rotate } from "../../../call.js";
import { callInFlight } from "../../../call-in-flight.js";
import { seededToken } from "../../../seeded.js";
import { ownWorld } from "../own-world.js";
import { sendRotation, watchCreate, watchRotate } from "../watched-call.js";

const own = ownWorld();
const newest = async () => (await own.world.requests()).at(-1);

describe("the cause of a request that a fault broke", () => {
  it.each<[fault: FaultRequest, message: string]>([
    [{ status: 503 }, "Fault 1 responded with 503; the request had no effect."],
    [{ reset: true }, "Fault 1 reset the connection; the request had no effect."],
    [{ truncate: true }, "Fault 1 cut the response in half; the request had no effect."],
    [{ malformed: true }, "Fault 1 responded with broken JSON; the request had no effect."],
    [
      { empty: true, phase: "after" },
      "Fault 1 closed the connection after the token had been rotated; the client never saw the new token.",
    ],
    [
      { status: 503, phase: "after" },
      "Fault 1 responded with 503 after the token had been rotated; the client never saw the new token.",
    ],
    [
      { truncate: true, phase: "after" },
      "Fault 1 cut the response in half after the token had been rotated; the client got half of the response.",
    ],
  ])("describes what the client got and what happened: %j", async (fault, message) => {
    await own.world.fault(fault);
    await watchRotate(own.world.url, seededToken);
    const group = { team_id: 3, provided_id: "example_1" };
    expect(await newest()).toMatchObject({ cause: { code: "fault", message, fault: 1 }, group });
  });

  it("has the delay before it", async () => {
    await own.world.fault({ status: 503, delayMs: 20 });
    await watchRotate(own.world.url, seededToken);
    const message = /^Fault 1 waited \d+ ms and responded with 503; the request had no effect\.$/;
    expect((await newest())?.cause).toMatchObject({ code: "fault", message: expect.stringMatching(message) });
  });

  it("names whether a group was created, found or updated, or the request was rejected", async () => {
    const { world } = own;
    await world.assume({ "existing-group": "updated" });
    await world.fault({ reset: true, phase: "after", times: "always" });
    await watchCreate(world.url, "new");
    await watchCreate(world.url, "new");
    await watchCreate(world.url, "example_1");
    await watchRotate(world.url, "unknown");
    const requests = await world.requests();
    const begin = "Fault 1 reset the connection after ";
    expect(requests.map(({ effect, cause }) => [effect, cause?.message.replace(begin, "")])).toEqual([
      ["created", "the group had been created; the client never saw its token."],
      ["found", "the group had been found."],
      ["updated", "the group had been updated."],
      [
        "none",
        "the request had been rejected. The current_token belongs to no group of this team. Use the group's latest token.",
      ],
    ]);
  });

  it("is the disconnect, not the fault, if the client disconnected before the fault acted", async () => {
    const { world } = own;
    const fault = await world.fault({ status: 503, phase: "after", delayMs: 60_000 });
    const client = sendRotation(world.url, seededToken);
    await expect.poll(() => fault.fired()).toBe(1);
    await client.disconnect();
    const { cause, notes } = await world.waitForRequest({ outcome: "fault" });
    expect([cause?.code, cause?.fault, notes]).toEqual(["caller-left", 1, []]);
    expect(cause?.message).toMatch(
      /^The client closed the connection after \d+ ms, before a response was sent, while fault 1 delayed the request; the token had been rotated, the client never saw the new token\.$/,
    );
  });

  it("is the disconnect and its time, without an effect that the request never had", async () => {
    const { world } = own;
    const fault = await world.fault({ delayMs: 60_000 });
    const client = sendRotation(world.url, seededToken);
    await expect.poll(() => fault.fired()).toBe(1);
    await client.disconnect();
    const { cause, durationMs } = await world.waitForRequest({ outcome: "fault" });
    const time = durationWords(durationMs ?? expect.fail());
    expect(cause?.message).toBe(
      `The client closed the connection after ${time}, before a response was sent, while fault 1 delayed the request.`,
    );
  });

  it("does not hide the effect of the request, which explains the next one", async () => {
    const { token } = (await create(own.world.url, "acme")).body.user_group;
    await own.world.fault({ operation: "rotate", phase: "after", reset: true });
    await watchRotate(own.world.url, token);
    await rotate(own.world.url, token);
    const [, lost, stale] = await own.world.requests();
    expect(lost).toMatchObject({ outcome: "fault", effect: "rotated", delivery: "none", response: null });
    expect(stale?.cause).toMatchObject({
      code: "unknown_token",
      message:
        "The current_token was rotated out by request 2, whose response was lost (fault 1)." +
        " Look the group up to get its new token.",
      request: 2,
    });
    expect(await own.world.requests({ user_group_id: "acme" })).toHaveLength(3);
  });

  it("keeps why the operation was rejected under a fault that came after it", async () => {
    await rotate(own.world.url, seededToken);
    await own.world.fault({ status: 503, phase: "after" });
    await rotate(own.world.url, seededToken);
    expect((await newest())?.cause).toMatchObject({
      code: "fault",
      message:
        "Fault 1 responded with 503 after the request had been rejected. The current_token was rotated out by" +
        " request 1. Use the group's latest token.",
      request: 1,
      fault: 1,
    });
  });
});

describe("the note of a fault that let a request through", () => {
  it.each<[fault: FaultRequest, note: RegExp]>([
    [{ delayMs: 20 }, /^fault 1 delayed the request by \d+ ms$/],
    [
      { delayMs: 20, phase: "after" },
      /^fault 1 delayed the request by \d+ ms after the token had been rotated$/,
    ],
  ])("has the delay: %j", async (fault, note) => {
    await own.world.fault(fault);
    await rotate(own.world.url, seededToken);
    const { cause, notes } = (await newest()) ?? expect.fail();
    expect([cause, notes]).toEqual([null, [expect.stringMatching(note)]]);
  });

  it("has only the time in the fault, however long the body took to arrive", async () => {
    const server = await startServer(await resolveOptions([], "embedded"));
    const { faults, journal } = server.worlds.peek("default");
    faults.arm({ delayMs: 1 });
    const slow = await callInFlight("POST", server.url, { current_token: seededToken });
    const entry = journal.get(1) ?? expect.fail();
    Object.assign(entry, { began: entry.began - 30 * 60_000 });
    await slow.finish();
    expect(entry.notes).toEqual([expect.stringMatching(/^fault 1 delayed the request by \d+ ms$/)]);
    await server.stop();
  });

  it("has the time of a hold, beside the cause of a request that was rejected after it", async () => {
    const held = await own.world.hold({ times: 2 });
    const rotating = [rotate(own.world.url, seededToken)];
    // They continue in the order in which they were held.
    await expect.poll(() => held.fired()).toBe(1);
    rotating.push(rotate(own.world.url, seededToken));
    await held.arrived();
    await held.release();
    await Promise.all(rotating);
    const [first, second] = await own.world.requests();
    const note = expect.stringMatching(/^fault 1 held the request for \d+ ms$/);
    expect([first?.notes, second?.notes]).toEqual([[note], [note]]);
    expect([first?.cause, second?.cause]).toMatchObject([
      null,
      {
        code: "unknown_token",
        message: "The current_token was rotated out by request 1. Use the group's latest token.",
        request: 1,
        concurrent: true,
      },
    ]);
  });
});
