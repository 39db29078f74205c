import { describe, expect, it } from "vitest";
import type { World } from "../../../src/client/world.js";
import { call, create, rotate } from "../../call.js";
import { ownWorld } from "./own-world.js";

const own = ownWorld();

const changes = async () => (await own.mock.health()).changes;

/** By how much `changes` grew during an action. */
async function growth(act: () => Promise<unknown>): Promise<number> {
  const before = await changes();
  await act();
  return (await changes()) - before;
}

describe("changes in the response of health", () => {
  it.each<[what: string, act: (world: World) => Promise<unknown>]>([
    ["a reset", (world) => world.reset()],
    ["a state that is loaded", (world) => world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] })],
    ["a group that is added", (world) => world.addGroup({ provided_id: "x", name: "X" })],
    ["a journal that is cleared", (world) => world.clearRequests()],
    ["an assumption", (world) => world.assume({ "old-token": "accepted" })],
    ["a fault that is armed", (world) => world.fault({ status: 503 })],
    ["faults that are cleared", (world) => world.fault({ status: 503 }).then(() => world.clearFaults())],
    ["a world that is dropped", (world) => world.drop()],
  ])("grow with %s", async (_, act) => {
    await own.world.reset();
    expect(await growth(() => act(own.world))).toBeGreaterThan(0);
  });

  it("grow when a request begins and when it ends", async () => {
    await own.world.reset();
    expect(await growth(() => rotate(own.world.url, "unheard-of"))).toBe(2);
  });

  it("grow with a new world", async () => {
    const invalid = () => call("POST", `${own.world.url}/__admin/faults`, { status: 1 });
    expect(await growth(invalid)).toBe(1);
    expect(await growth(invalid)).toBe(0);
  });

  it("grow when a request begins and a fault holds it, and when the fault is released and removed", async () => {
    const held = await own.world.hold();
    let waiting: Promise<unknown> = Promise.resolve();
    const begin = async () => {
      waiting = create(own.world.url, "a");
      await held.arrived();
    };
    expect(await growth(begin)).toBe(2);
    for (const step of [held.release, held.remove]) expect(await growth(step)).toBeGreaterThan(0);
    await waiting;
  });

  it("grow when a request ends that began before a reset", async () => {
    const held = await own.world.hold();
    const waiting = create(own.world.url, "a");
    await held.arrived();
    const ofReset = await growth(() => own.mock.reset());
    expect(await growth(() => own.world.reset().then(() => waiting))).toBeGreaterThan(ofReset);
  });

  it("stay the same when something is read", async () => {
    await create(own.world.url, "a");
    const read = async () => {
      for (const path of ["", "health", "requests", "requests/1", "groups", "faults", "tests", "report.html"])
        await fetch(`${own.world.url}/__admin/${path}`);
    };
    expect(await growth(read)).toBe(0);
  });
});
