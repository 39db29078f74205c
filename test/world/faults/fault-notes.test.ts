import { describe, expect, it, vi } from "vitest";
import type { FaultRequest } from "../../../src/generated/types.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { ownWorld } from "../own-world.js";
import { watchCreate, watchRotate } from "../watched-call.js";

describe("the note of a fault", () => {
  const own = ownWorld();
  const noted = async () => (await own.world.requests()).at(-1)?.notes;

  it.each<[fault: FaultRequest, note: string | RegExp]>([
    [{ status: 503 }, "fault 1 responded with 503; the request had no effect"],
    [{ reset: true }, "fault 1 reset the connection; the request had no effect"],
    [{ truncate: true }, "fault 1 cut the response in half; the request had no effect"],
    [{ malformed: true }, "fault 1 responded with broken JSON; the request had no effect"],
    [
      { empty: true, phase: "after" },
      "fault 1 closed the connection after the token had been rotated; the caller never saw the new token",
    ],
    [
      { status: 503, phase: "after" },
      "fault 1 responded with 503 after the token had been rotated; the caller never saw the new token",
    ],
    [
      { truncate: true, phase: "after" },
      "fault 1 cut the response in half after the token had been rotated; the caller got half of the response",
    ],
    [{ delayMs: 20 }, /^fault 1 delayed the request by \d+ ms$/],
    [
      { delayMs: 20, phase: "after" },
      /^fault 1 delayed the request by \d+ ms after the token had been rotated$/,
    ],
    [
      { status: 503, delayMs: 20 },
      /^fault 1 waited \d+ ms and responded with 503; the request had no effect$/,
    ],
  ])("describes what the caller saw and what happened: %j", async (fault, note) => {
    await own.world.fault(fault);
    await watchRotate(own.world.url, seededToken);
    expect(await noted()).toEqual([typeof note === "string" ? note : expect.stringMatching(note)]);
  });

  it.each<FaultRequest>([{ status: 503 }, { reset: true }, { truncate: true }, { malformed: true }])(
    "does not claim an effect on a caller that had disconnected: %j",
    async (fault) => {
      await own.world.fault({ ...fault, phase: "after", delayMs: 60_000 });
      const caller = new AbortController();
      const pending = fetch(`${own.world.url}/api/user`, {
        method: "POST",
        signal: caller.signal,
        body: JSON.stringify({ current_token: seededToken }),
        headers: { Authorization: "Token test-api-token", "Content-Type": "application/json" },
      });
      await vi.waitFor(() => own.world.assertFaultsFired(), { timeout: 10_000 });
      caller.abort();
      await expect(pending).rejects.toThrow("abort");
      const { notes } = await own.world.waitForRequest({ outcome: "fault" });
      expect(notes).toEqual([
        expect.stringMatching(/^fault 1 waited \d+ ms, until the caller disconnected$/),
        expect.stringMatching(
          /^the caller closed the connection after \d+ ms, before a response was sent; the token had been rotated, the caller never saw the new token$/,
        ),
      ]);
    },
  );

  it("names whether a group was created, found or updated, or the request was rejected", async () => {
    const { world } = own;
    await world.assume({ "existing-group": "updated" });
    await world.fault({ reset: true, phase: "after", times: "always" });
    const lost = async () => (await noted())?.at(-1)?.replace("fault 1 reset the connection ", "");
    await watchCreate(world.url, "new");
    expect(await lost()).toBe("after the group had been created; the caller never saw its token");
    await watchCreate(world.url, "new");
    expect(await lost()).toBe("after the group had been found");
    await watchCreate(world.url, "example_1");
    expect(await lost()).toBe("after the group had been updated");
    await watchRotate(world.url, "unknown");
    expect(await lost()).toBe("after the request had been rejected");
    expect((await world.requests()).map(({ effect }) => effect)).toEqual([
      "created",
      "found",
      "updated",
      "none",
    ]);
  });
});

describe("the requests that a fault meets", () => {
  const own = ownWorld();

  it("are those of its team", async () => {
    await own.world.fault({ status: 503, team_id: 4 });
    expect((await create(own.world.url, "a")).status).toBe(200);
    const other = { apiToken: "other-api-token" };
    expect((await getOrCreate(own.world.url, { user_group_id: "a", name: "A" }, other)).status).toBe(503);
  });

  it("are those with the given fields, whatever else they have", async () => {
    await own.world.fault({ status: 503, match: { properties: { region: "EU" } } });
    const region = (value: string) =>
      create(own.world.url, value, { properties: { region: value, plan: "pro" } });
    expect([(await region("US")).status, (await region("EU")).status]).toEqual([200, 503]);
    const wait = { match: { properties: { region: "US" } } };
    expect((await own.world.waitForRequest(wait)).id).toBe(1);
  });

  it("have an effect even if the response is lost, and are found by their group", async () => {
    const { token } = (await create(own.world.url, "acme")).body.user_group;
    await own.world.fault({ operation: "rotate", phase: "after", reset: true });
    await watchRotate(own.world.url, token);
    expect((await rotate(own.world.url, token)).status).toBe(404);
    const [, lost, stale] = await own.world.requests();
    expect(lost).toMatchObject({ outcome: "fault", effect: "rotated", delivery: "none", response: null });
    expect(stale?.notes).toEqual(["current_token was rotated out by request 2"]);
    expect(await own.world.requests({ user_group_id: "acme" })).toHaveLength(2);
  });
});
