import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connectMock, type World } from "../../src/index.js";
import { create } from "../call.js";
import { type CliProcess, startCli, startProgram } from "../cli-process.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { freePort } from "../free-port.js";
import { has, needs } from "../needs.js";
import { patience } from "../patience.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-balancer-"));
/** The ports of the page, and the free ports that replace them: the balancer, then the mocks. */
const ports = new Map<string, number>();
const processes: CliProcess[] = [];
const urls: string[] = [];
let url: string;
let mock: World;

beforeEach((context) => needs(context, "haproxy"));
beforeAll(async () => {
  if (!has("haproxy")) return;
  for (const port of ["4010", "4011", "4012", "4013"]) ports.set(port, await freePort());
  const [start, config] = blocksOfSection("performance.md", "More than one process");
  const free = (text = "") => text.replace(/\b401[0-3]\b/g, (port) => String(ports.get(port)));
  for (const [, args = ""] of free(start?.text).matchAll(/^npx usergroup-mock (.*) &$/gm)) {
    const started = startCli(args.split(" "));
    processes.push(started);
    urls.push(await started.ready);
  }
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, free(config?.text));
  processes.push(startProgram("haproxy", ["-db", "-f", file]));
  url = `http://127.0.0.1:${ports.get("4010")}`;
  await vi.waitFor(async () => expect(await healthOf("any")).toBe(200), patience);
  await create(url, "first");
  mock = await connectMock(url);
});
afterAll(async () => {
  for (const started of processes) await started[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const healthOf = async (name: string) => (await fetch(`${url}/worlds/${name}/__admin/health`)).status;

/** The worlds of each mock. */
async function worldsOfEach(): Promise<string[][]> {
  const each = urls.map(async (url) => (await connectMock(url)).worlds());
  return (await Promise.all(each)).map((worlds) => worlds.map(({ name }) => name));
}

const names = Array.from({ length: 300 }, (_, i) => `test-${i}`);
const createInAll = (names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await create(`${url}/worlds/${name}`)).body));

describe("three mocks behind HAProxy, configured as in docs/performance.md", () => {
  it("share 300 worlds, each always on the same mock", async () => {
    const created = await createInAll(names);
    expect(new Set(created.map(({ new_user_group }) => new_user_group))).toEqual(new Set([true]));
    const again = await createInAll(names);
    expect(again).toEqual(created.map((body) => ({ ...body, new_user_group: false })));
    expect((await mock.worlds()).length).toBeLessThan(300);
    const shares = (await worldsOfEach()).map((worlds) => names.filter((name) => worlds.includes(name)));
    expect(shares.flat().sort()).toEqual([...names].sort());
    for (const share of shares) expect(share.length).toBeGreaterThan(50);
  });

  it("have the default world on one mock", async () => {
    const { body } = await create(url, "first");
    expect(body.new_user_group).toBe(false);
    expect(await mock.requests({ user_group_id: "first" })).not.toEqual([]);
  });

  it("reset one world, drop it, and wait for its requests", async () => {
    const world = mock.world("controlled");
    const waiting = world.waitForRequest({ match: { user_group_id: "new" } });
    await create(world.url);
    expect((await waiting).effect).toBe("created");
    await world.reset();
    expect(await world.requests()).toEqual([]);
    await world.drop();
    expect((await worldsOfEach()).flat()).not.toContain("controlled");
  });

  it.each(["reset", "empty"])(
    "respond to the fault %s with 502, or close a connection that was used before",
    async (effect) => {
      const world = mock.world(effect);
      const connection = new Agent({ keepAlive: true });
      await world.fault(
        effect === "reset" ? { reset: true, skip: 1, times: 2 } : { empty: true, skip: 1, times: 2 },
      );
      expect(await rotateBy(connection, world)).toBe(200);
      await expect(rotateBy(connection, world)).rejects.toThrow();
      expect(await rotateBy(new Agent(), world)).toBe(502);
      const deliveries = (await world.requests()).map(({ delivery }) => delivery);
      expect(deliveries).toEqual(["complete", "none", "none"]);
      connection.destroy();
    },
  );

  it("lose only the worlds of a mock that is killed", async () => {
    const shares = await worldsOfEach();
    const lost = names.filter((name) => shares[1]?.includes(name));
    const kept = names.filter((name) => !lost.includes(name));
    await processes[1]?.[Symbol.asyncDispose]();
    const statuses = async () => new Set(await Promise.all(lost.map(healthOf)));
    await vi.waitFor(async () => expect(await statuses()).toEqual(new Set([200])), patience);
    const isNew = async (names: readonly string[]) =>
      new Set((await createInAll(names)).map(({ new_user_group }) => new_user_group));
    expect(await isNew(kept)).toEqual(new Set([false]));
    expect(await isNew(lost)).toEqual(new Set([true]));
  });
});

/** Rotates a seeded token over the connection of an agent. Resolves to the status of the whole response. */
async function rotateBy(agent: Agent, world: World): Promise<number> {
  const [group] = await world.groups();
  const headers = { Authorization: `Token ${world.apiToken}`, "Content-Type": "application/json" };
  return new Promise((resolve, reject) => {
    const req = request(`${world.url}/api/user`, { method: "POST", headers, agent }, (res) => {
      res.on("error", reject);
      res.on("end", () => resolve(res.statusCode ?? 0));
      res.resume();
    });
    req.on("error", reject);
    req.end(JSON.stringify({ current_token: group?.token }));
  });
}
