import { describe, expect, it } from "vitest";
import type { Fault } from "../../src/generated/types.js";
import { call, getOrCreate, rotate } from "../call.js";
import { seededToken } from "../seeded.js";
import { bothWays } from "./both-ways.js";
import { ownWorld } from "./own-world.js";
import { refusalOf } from "./refusal.js";

describe.each(bothWays)("a snapshot (%s)", (_, steer) => {
  const own = ownWorld(steer);
  const create = (id: string, apiToken = "test-api-token") =>
    getOrCreate(own.world.url, { user_group_id: id, name: id }, { apiToken });
  const tokenOf = async (id: string): Promise<string> => (await create(id)).body.user_group.token;

  it("restores groups", async () => {
    await create("a");
    const { token } = (await rotate(own.world.url, seededToken)).body.user_group;
    const before = await own.world.state();
    const kept = await own.world.snapshot();
    await create("b");
    await create("c", "other-api-token");
    await rotate(own.world.url, token);
    await rotate(own.world.url, await tokenOf("a"));
    expect(await own.world.state()).not.toEqual(before);
    await own.world.restore(kept);
    expect(await own.world.state()).toEqual(before);
    expect((await own.world.health()).groups).toBe(6);
    expect((await create("b")).body.new_user_group).toBe(true);
    expect((await rotate(own.world.url, token)).status).toBe(200);
  });

  it("restores which tokens were rotated out, and by which request", async () => {
    await rotate(own.world.url, seededToken);
    const kept = await own.world.snapshot();
    await own.world.reset();
    expect((await rotate(own.world.url, seededToken)).status).toBe(200);
    await own.world.restore(kept);
    const { status, body } = await rotate(own.world.url, seededToken);
    expect([status, body.error.message]).toEqual([404, expect.stringContaining("rotated out by request 1")]);
  });

  it("restores faults with their counts", async () => {
    await own.world.fault({ operation: "get-or-create", status: 502, skip: 2 });
    await own.world.fault({ operation: "get-or-create", status: 501, times: 3 });
    const removed = await own.world.fault({ status: 504, operation: "rotate" });
    await create("a");
    const before = await own.world.faults();
    const kept = await own.world.snapshot();
    await removed.remove();
    for (let n = 0; n < 5; n++) await create("a");
    await own.world.fault({ status: 599, times: "always" });
    await own.world.restore(kept);
    // Near misses come from the journal, which a restore does not change.
    const known = (faults: readonly Fault[]) => faults.map(({ nearMisses, ...fault }) => fault);
    expect(known(await own.world.faults())).toEqual(known(before));
    expect((await rotate(own.world.url, seededToken)).status).toBe(504);
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await create("a")).status);
    expect(statuses).toEqual([501, 502, 501, 200, 200]);
  });

  it("draws the same probabilities after each restore", async () => {
    await own.world.fault({ status: 503, times: "always", probability: 0.5 });
    for (let n = 0; n < 3; n++) await create("a");
    const kept = await own.world.snapshot();
    const rounds = [];
    for (let round = 0; round < 3; round++) {
      if (round > 0) await own.world.restore(kept);
      const statuses = [];
      for (let n = 0; n < 20; n++) statuses.push((await create("a")).status);
      rounds.push(statuses);
    }
    expect(rounds[1]).toEqual(rounds[0]);
    expect(rounds[2]).toEqual(rounds[0]);
    expect(new Set(rounds[0])).toEqual(new Set([200, 503]));
  });

  it("draws the same for a fault that is armed again after each restore", async () => {
    await own.world.fault({ status: 502, operation: "rotate" });
    const kept = await own.world.snapshot();
    const rounds = [];
    for (let round = 0; round < 3; round++) {
      if (round > 0) await own.world.restore(kept);
      const ids = [];
      for (const status of [503, 504]) {
        const { id } = await own.world.fault({ status, times: "always", probability: 0.5 });
        ids.push(id);
      }
      const statuses = [];
      for (let n = 0; n < 20; n++) statuses.push((await create("a")).status);
      rounds.push({ ids, statuses });
    }
    expect(rounds[1]?.statuses).toEqual(rounds[0]?.statuses);
    expect(rounds[2]?.statuses).toEqual(rounds[0]?.statuses);
    expect(new Set(rounds[0]?.statuses)).toEqual(new Set([200, 503, 504]));
    expect(rounds.map(({ ids }) => ids)).toEqual([
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
  });

  it("gives new faults ids that no restored fault has", async () => {
    await own.world.fault({ status: 501 });
    const kept = await own.world.snapshot();
    await own.world.reset();
    await own.world.restore(kept);
    await own.world.fault({ status: 502 });
    expect((await own.world.faults()).map(({ id, status }) => [id, status])).toEqual([
      [1, 501],
      [2, 502],
    ]);
  });

  it("restores assumptions", async () => {
    const rename = async () =>
      (await getOrCreate(own.world.url, { user_group_id: "example_1", name: "Renamed" })).body.user_group
        .name;
    const byDefault = await own.world.snapshot();
    await own.world.assume({ "existing-group": "updated", "created-status": "201" });
    const before = await own.world.assumptions();
    const assumed = await own.world.snapshot();
    await own.world.assume({ "created-status": "200", "old-token": "accepted" });
    await own.world.restore(byDefault);
    expect([await rename(), (await create("a")).status]).toEqual(["Example 1", 200]);
    await own.world.reset();
    await own.world.restore(assumed);
    expect(await own.world.assumptions()).toEqual(before);
    expect([await rename(), (await create("a")).status]).toEqual(["Renamed", 201]);
  });

  it("restores loaded teams", async () => {
    await own.world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    await create("a", "nine");
    const before = await own.world.state();
    const kept = await own.world.snapshot();
    await own.world.reset();
    expect((await create("a", "nine")).status).toBe(401);
    await own.world.restore(kept);
    expect(await own.world.state()).toEqual(before);
    expect((await create("a", "nine")).body).toMatchObject({
      new_user_group: false,
      user_group: { team_id: 9 },
    });
  });

  it("does not change the journal", async () => {
    await create("a");
    const kept = await own.world.snapshot();
    await create("b");
    await own.world.restore(kept);
    await create("c");
    expect((await own.world.requests()).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it("can be restored several times, and after a reset", async () => {
    await create("a");
    const before = await own.world.state();
    const kept = await own.world.snapshot();
    for (let round = 0; round < 3; round++) {
      await create(`b-${round}`);
      if (round === 1) await own.world.reset();
      await own.world.restore(kept);
      expect(await own.world.state()).toEqual(before);
    }
  });

  it("does not depend on later changes, nor on another snapshot", async () => {
    const empty = await own.world.snapshot();
    const seed = await own.world.state();
    await create("a");
    await own.world.fault({ status: 503, operation: "rotate" });
    const full = await own.world.snapshot();
    const filled = [await own.world.state(), await own.world.faults()];
    await own.world.restore(empty);
    expect([await own.world.state(), await own.world.faults()]).toEqual([seed, []]);
    await own.world.restore(full);
    expect([await own.world.state(), await own.world.faults()]).toEqual(filled);
    expect(full.id).not.toBe(empty.id);
  });

  it("creates the same tokens after each restore", async () => {
    await create("a");
    const kept = await own.world.snapshot();
    const rounds = [];
    for (let round = 0; round < 3; round++) {
      const first = (await rotate(own.world.url, await tokenOf("a"))).body.user_group.token;
      const second = (await rotate(own.world.url, first)).body.user_group.token;
      rounds.push([await tokenOf("b"), first, second]);
      await own.world.restore(kept);
    }
    expect(rounds[1]).toEqual(rounds[0]);
    expect(rounds[2]).toEqual(rounds[0]);
    expect(new Set(rounds[0]).size).toBe(3);
  });

  it("cannot be restored after it is forgotten", async () => {
    const kept = await own.world.snapshot();
    await own.world.forget(kept);
    await create("a");
    const before = await own.world.state();
    for (const refused of [own.world.restore(kept), own.world.forget(kept)]) {
      const { code, message } = await refusalOf(refused);
      expect([code, message]).toEqual(["unknown_snapshot", `There is no snapshot ${kept.id} in this world.`]);
    }
    expect(await own.world.state()).toEqual(before);
  });

  it.each(["7", "0", "abc"])("is rejected if it does not exist: %s", async (id) => {
    await create("a");
    const restored = await call("POST", `${own.world.url}/__admin/snapshots/${id}/restore`);
    const forgotten = await call("DELETE", `${own.world.url}/__admin/snapshots/${id}`);
    const code = id === "7" ? "unknown_snapshot" : "not_found";
    expect([restored.status, restored.body.error.code]).toEqual([404, code]);
    expect([forgotten.status, forgotten.body.error.code]).toEqual([404, code]);
    expect((await own.world.health()).groups).toBe(6);
  });

  it("is rejected beyond the limit", async () => {
    const inProcess = own.mock.world(own.world.name);
    for (let n = 0; n < 1_000; n++) await inProcess.snapshot();
    const { code, message } = await refusalOf(own.world.snapshot());
    expect([code, message]).toEqual(["too_many_snapshots", expect.stringContaining("Forget some of them")]);
    await own.world.forget({ id: 1 });
    await own.world.snapshot();
  });
});
