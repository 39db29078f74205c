import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { World } from "../../src/client/world.js";
import { connectMock, startMock } from "../../src/index.js";
import { ownWorld } from "../fake/world/own-world.js";
import { rejectionOf } from "../fake/world/rejection.js";

type Use = (world: World) => Promise<unknown>;

describe("the stack of an error", () => {
  const own = ownWorld();

  const rejected: readonly [what: string, use: Use][] = [
    ["waitForRequest", (world) => world.waitForRequest({ timeoutMs: 1 })],
    ["load", (world) => world.load({ user_groups: [{ team_id: 99, provided_id: "a", name: "A" }] })],
    ["reset", (world) => world.reset({ label: 1 as never })],
    ["addGroup", (world) => world.addGroup({ provided_id: "example_1", name: "A" })],
    ["requests", (world) => world.requests({ limit: 0 })],
    ["saveReport", (world) => world.saveReport({ worlds: "some" as never })],
    ["fault", (world) => world.fault({ status: 600 })],
    ["hold", (world) => world.hold({ times: 0 })],
    ["assume", (world) => world.assume({ "old-token": "x" as never })],
  ];

  it.each(rejected)("begins in the test: %s", async (_what, use) => {
    const { name, message, stack = "" } = await rejectionOf(use(own.world));
    expect(stack.startsWith(`${name}: ${message}\n`)).toBe(true);
    expect(stack.slice(`${name}: ${message}\n`.length).split("\n")[0]).toContain("stacks.test.ts");
  });

  it("begins in the test: assertNoFailures, assertFaultsFired, and the promises of a fault", async () => {
    const { world } = own;
    const held = await world.hold();
    const never = await rejectionOf(world.assertFaultsFired());
    await fetch(`${world.url}/nowhere`);
    const failed = await rejectionOf(world.assertNoFailures());
    await world.reset();
    const rejections = [never, failed];
    for (const gone of [held.arrived(), held.fired(), held.release(), held.remove()])
      rejections.push(await rejectionOf(gone));
    for (const { stack = "", message } of rejections)
      expect(stack.slice(stack.indexOf(message) + message.length).split("\n")[1]).toContain("stacks.test.ts");
  });

  it("does not cause an unhandled rejection when a fault is printed", async () => {
    const held = await own.world.hold();
    await own.world.reset();
    inspect(held, { getters: true });
    await own.world.health();
  });
});

it.each([
  ["startMock", () => startMock({ port: -1 })],
  ["connectMock", () => connectMock("http://127.0.0.1:1")],
])("the stack of an error begins in the test: %s", async (_what, use) => {
  const { message, stack = "" } = await rejectionOf(use());
  expect(stack.slice(stack.indexOf(message) + message.length).split("\n")[1]).toContain("stacks.test.ts");
});
