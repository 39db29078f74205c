import { describe, expect, it } from "vitest";
import type { World } from "../../src/index.js";
import { create, rotate } from "../call.js";
import { ownMock } from "../world/own-world.js";
import { isLinearizable, type Recorded } from "./linearizable.js";

const created = (sent: number, received: number, token: string, isNew = false): Recorded => ({
  sent,
  received,
  result: { operation: "get-or-create", isNew, token },
});
const rotated = (sent: number, received: number, from: string, to: string): Recorded => ({
  sent,
  received,
  result: { operation: "rotate", from, to },
});

describe("isLinearizable", () => {
  it.each<[string, readonly Recorded[]]>([
    ["two creations", [created(0, 3, "a", true), created(1, 2, "a", true)]],
    [
      "a read of the old token after the response of its rotation",
      [created(0, 1, "a", true), rotated(2, 3, "a", "b"), created(4, 5, "a")],
    ],
    ["a lost rotation", [created(0, 1, "a", true), rotated(2, 3, "a", "b"), rotated(4, 5, "a", "c")]],
  ])("rejects %s", (_, history) => {
    expect(isLinearizable(history)).toBe(false);
  });
});

const groups = ["a", "b", "c"];
const clients = 24;

describe("concurrent requests to one group", () => {
  const own = ownMock();

  /** Records the requests of all clients, and the latest token of each group. */
  class Recorder {
    readonly histories = new Map(groups.map((group): [string, Recorded[]] => [group, []]));
    readonly #latest = new Map<string, string>();
    readonly #world: World;

    constructor(world: World) {
      this.#world = world;
    }

    async getOrCreate(group: string): Promise<void> {
      await this.#record(group, async () => {
        const { new_user_group: isNew, user_group } = (await create(this.#world.url, group)).body;
        this.#latest.set(group, user_group.token);
        return { operation: "get-or-create", isNew, token: user_group.token };
      });
    }

    async rotate(group: string): Promise<void> {
      const from = this.#latest.get(group);
      if (from === undefined) return this.getOrCreate(group);
      await this.#record(group, async () => {
        const { body: response } = await rotate(this.#world.url, from);
        const to: string | undefined = response.user_group?.token;
        if (to !== undefined) this.#latest.set(group, to);
        else expect(response.error.code).toBe("unknown_token");
        return { operation: "rotate", from, to: to ?? "rejected" };
      });
    }

    async #record(group: string, act: () => Promise<Recorded["result"]>): Promise<void> {
      const sent = performance.now();
      const result = await act();
      this.histories.get(group)?.push({ sent, received: performance.now(), result });
    }

    /** Each client uses one group and alternates between the operations. */
    act(client: number, round: number): Promise<void> {
      const group = groups[client % groups.length] ?? "a";
      return (client + round) % 3 === 0 ? this.rotate(group) : this.getOrCreate(group);
    }
  }

  const eachClient = (act: (client: number) => Promise<void>) =>
    Promise.all(Array.from({ length: clients }, (_, n) => act(n)));

  async function expectLinearizable(recorder: Recorder, atLeast: number): Promise<void> {
    for (const group of groups) await recorder.getOrCreate(group);
    for (const [group, history] of recorder.histories) {
      expect(history.length).toBeGreaterThan(atLeast);
      const rotated = history.filter(
        ({ result }) => result.operation === "rotate" && result.to !== "rejected",
      );
      expect(rotated.length).toBeGreaterThan(2);
      expect([group, isLinearizable(history)]).toEqual([group, true]);
    }
  }

  it("are linearizable when all are released at once", async () => {
    const world = own.mock.world("at-once");
    const recorder = new Recorder(world);
    for (let round = 0; round < 10; round++) {
      const held = await world.hold({ times: clients });
      const acting = eachClient((n) => recorder.act(n, round));
      await held.arrived();
      await held.release();
      await acting;
    }
    await expectLinearizable(recorder, 75);
  });

  it("are linearizable with delays before and after the operation", async () => {
    const world = own.mock.world("under-way");
    await world.fault({ operation: "rotate", delayMs: 2, times: "always", phase: "after" });
    await world.fault({ operation: "get-or-create", delayMs: 3, skip: 30, times: 60 });
    const recorder = new Recorder(world);
    await eachClient(async (n) => {
      for (let round = 0; round < 10; round++) await recorder.act(n, round);
    });
    await expectLinearizable(recorder, 75);
  });
});
