import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock, type World } from "../../src/index.js";
import { KeepAliveClient } from "./keep-alive-client.js";
import { isLinearizable, type Recorded } from "./linearizable.js";

const create = (called: number, returned: number, token: string, isNew = false): Recorded => ({
  called,
  returned,
  did: { operation: "get-or-create", isNew, token },
});
const turn = (called: number, returned: number, from: string, to: string): Recorded => ({
  called,
  returned,
  did: { operation: "rotate", from, to },
});

describe("the check itself", () => {
  it.each<[string, readonly Recorded[]]>([
    ["one after the other", [create(0, 1, "a", true), turn(2, 3, "a", "b"), create(4, 5, "b")]],
    [
      "a read of the old token while it is rotated",
      [create(0, 1, "a", true), turn(2, 5, "a", "b"), create(3, 4, "a")],
    ],
    [
      "a read of the new token before its rotation returned",
      [create(0, 1, "a", true), turn(2, 9, "a", "b"), create(3, 4, "b")],
    ],
    [
      "a refusal that was made first and took effect last",
      [create(0, 1, "a", true), turn(2, 9, "a", "refused"), turn(3, 4, "a", "b")],
    ],
    ["a creation that returned after a read of it", [create(0, 9, "a", true), create(1, 2, "a")]],
  ])("finds the order: %s", (_, history) => {
    expect(isLinearizable(history)).toBe(true);
  });

  it.each<[string, readonly Recorded[]]>([
    ["two that created", [create(0, 3, "a", true), create(1, 2, "a", true)]],
    ["two that rotated one token", [create(0, 1, "a", true), turn(2, 5, "a", "b"), turn(3, 4, "a", "c")]],
    [
      "a read of the old token after its rotation returned",
      [create(0, 1, "a", true), turn(2, 3, "a", "b"), create(4, 5, "a")],
    ],
    [
      "a read of a token before its rotation was asked for",
      [create(0, 1, "a", true), create(2, 3, "b"), turn(4, 5, "a", "b")],
    ],
    [
      "a refusal of the token that the group has",
      [create(0, 1, "a", true), turn(2, 3, "a", "refused"), create(4, 5, "a")],
    ],
    ["a rotation that was lost", [create(0, 1, "a", true), turn(2, 3, "a", "b"), turn(4, 5, "a", "c")]],
  ])("finds none: %s", (_, history) => {
    expect(isLinearizable(history)).toBe(false);
  });
});

const groups = ["a", "b", "c"];
const clients = 24;

describe("calls of many clients to one group", () => {
  let mock: Mock;
  const client = new KeepAliveClient();
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(async () => {
    client[Symbol.dispose]();
    await mock.stop();
  });

  /** Records what clients do to the groups of a world, and which token they would rotate next. */
  class Recorder {
    readonly histories = new Map(groups.map((group): [string, Recorded[]] => [group, []]));
    readonly #newest = new Map<string, string>();
    readonly #world: World;

    constructor(world: World) {
      this.#world = world;
    }

    async getOrCreate(group: string): Promise<void> {
      await this.#record(group, async () => {
        const body = { user_group_id: group, name: group };
        const answer = await client.call("GET", `${this.#world.url}/api/user`, body, "test-api-token");
        const { new_user_group: isNew, user_group } = answer.body;
        this.#newest.set(group, user_group.token);
        return { operation: "get-or-create", isNew, token: user_group.token };
      });
    }

    async rotate(group: string): Promise<void> {
      const from = this.#newest.get(group);
      if (from === undefined) return this.getOrCreate(group);
      await this.#record(group, async () => {
        const body = { current_token: from };
        const { body: answer } = await client.call(
          "POST",
          `${this.#world.url}/api/user`,
          body,
          "test-api-token",
        );
        const to: string | undefined = answer.user_group?.token;
        if (to !== undefined) this.#newest.set(group, to);
        else expect(answer.error.code).toBe("unknown_token");
        return { operation: "rotate", from, to: to ?? "refused" };
      });
    }

    async #record(group: string, act: () => Promise<Recorded["did"]>): Promise<void> {
      const called = performance.now();
      const did = await act();
      this.histories.get(group)?.push({ called, returned: performance.now(), did });
    }

    /** Each client in turn: one group, and now the one, now the other operation. */
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
      const rotated = history.filter(({ did }) => did.operation === "rotate" && did.to !== "refused");
      expect(rotated.length).toBeGreaterThan(2);
      expect([group, isLinearizable(history)]).toEqual([group, true]);
    }
  }

  it("take effect each at one moment when all are let go at once", async () => {
    const world = mock.world("at-once");
    const recorder = new Recorder(world);
    for (let round = 0; round < 10; round++) {
      const held = await world.hold({ times: clients });
      const acting = eachClient((n) => recorder.act(n, round));
      await held.arrived;
      await held.release();
      await acting;
    }
    await expectLinearizable(recorder, 75);
  });

  it("take effect each at one moment however long they are under way", async () => {
    const world = mock.world("under-way");
    await world.fault({ delayMs: 2, probability: 0.3, times: "always", phase: "after" });
    await world.fault({ delayMs: 3, probability: 0.3, times: "always", phase: "before" });
    const recorder = new Recorder(world);
    await eachClient(async (n) => {
      for (let round = 0; round < 20; round++) await recorder.act(n, round);
    });
    await expectLinearizable(recorder, 150);
  });
});
