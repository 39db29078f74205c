import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMock } from "../../src/mock/start-mock.js";
import type { Mock, World } from "../../src/mock/world.js";
import { call, create, rotate } from "../call.js";
import { draws } from "../long.js";
import { seededToken } from "../seeded.js";
import { bothWays } from "./both-ways.js";
import { worldsInProcess } from "./in-process.js";
import { refusalOf } from "./refusal.js";

/** Which part of the mock rejected: only responses of the service have `success`. */
const successOf = (path: string) => (path === "/api/user" ? 0 : undefined);

/** The status of a request with this exact path: `URL` would remove dots. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode);
    });
    req.on("error", reject).end();
  });
}

describe.each(bothWays)("worlds (%s)", (_, steer) => {
  let mock: Mock;
  let world: World;

  beforeAll(async () => {
    mock = await startMock();
    world = await steer(mock);
  });
  beforeEach(() => call("DELETE", `${mock.url}/__admin/worlds`));
  afterAll(() => mock.stop());

  const names = async () => (await world.worlds()).map(({ name }) => name);

  it("have a base URL each, for the service and for the admin API", async () => {
    const w3 = world.world("w3");
    expect([w3.name, w3.url, w3.apiToken]).toEqual(["w3", `${mock.url}/worlds/w3`, world.apiToken]);
    expect((await create(`${mock.url}/worlds/w3`, "new")).body.new_user_group).toBe(true);
    const health = await call("GET", `${mock.url}/worlds/w3/__admin/health`);
    expect(health.body).toMatchObject({ world: "w3", worlds: 2, groups: 6 });
    expect(await w3.health()).toMatchObject({ world: "w3", groups: 6 });
    expect(await world.health()).toMatchObject({ world: "default", groups: 5 });
    await call("POST", `${mock.url}/worlds/w3/__admin/reset`);
    expect(await w3.health()).toMatchObject({ groups: 5 });
  });

  it("include the default world, at the bare URL and under its name", async () => {
    await create(`${mock.url}/worlds/default`, "new");
    expect((await create(mock.url, "new")).body.new_user_group).toBe(false);
    expect(await world.world("default").requests()).toEqual(await world.requests());
    expect(await world.requests()).toHaveLength(2);
    expect(await names()).toEqual(["default"]);
  });

  it("are created on first use, from the seed", async () => {
    const seed = await world.state();
    await create(world.url, "new");
    await rotate(world.url, seededToken);
    const w1 = world.world("w1");
    expect(await names()).toEqual(["default"]);
    expect(await w1.state()).toEqual(seed);
    expect((await rotate(world.world("w2").url, seededToken)).status).toBe(200);
    // GET does not create a world.
    expect(await names()).toEqual(["default", "w2"]);
  });

  it("are isolated: groups, journal, faults and snapshots", async () => {
    const [w1, w2] = [world.world("w1"), world.world("w2")];
    const seed = await w2.state();
    await create(w1.url, "new");
    await w1.fault({ operation: "rotate", status: 503, times: "always" });
    await w1.snapshot();
    await w1.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    expect([await w2.state(), await w2.requests(), await w2.faults()]).toEqual([seed, [], []]);
    expect((await rotate(w2.url, seededToken)).status).toBe(200);
    expect((await refusalOf(w2.restore({ id: 1 }))).code).toBe("unknown_snapshot");
  });

  it("do not change when another one is reset", async () => {
    const [w1, w2] = [world.world("w1"), world.world("w2")];
    for (const { url } of [w1, w2]) await create(url, "new");
    await w1.fault({ status: 503 });
    await w2.fault({ status: 503 });
    await w1.reset();
    expect([await w1.requests(), await w1.faults()]).toEqual([[], []]);
    expect([await w2.requests(), await w2.faults()]).toEqual([
      [expect.objectContaining({ id: 1 })],
      [expect.objectContaining({ id: 1, fired: 0 })],
    ]);
    expect((await w2.health()).groups).toBe(6);
  });

  it("count the ids of their journals from 1", async () => {
    const [w1, w2] = [world.world("w1"), world.world("w2")];
    const asked = [];
    for (const { url } of [w1, w1, w2, world]) {
      asked.push((await create(url, "new")).headers["usergroup-mock-request"]);
    }
    expect(asked).toEqual(["1", "2", "1", "1"]);
  });

  it("have different tokens for new groups, and the same ones in another run", async () => {
    const tokenIn = async (url: string) => (await create(url, "new")).body.user_group.token;
    const tokens = await Promise.all(["w1", "w2", "default"].map((name) => tokenIn(world.world(name).url)));
    expect(new Set(tokens).size).toBe(3);
    await using other = await startMock();
    expect(await tokenIn(other.world("w2").url)).toBe(tokens[1]);
  });

  it("are listed with their sizes", async () => {
    await create(world.world("w1").url, "a");
    await create(world.world("w1").url, "a");
    await world.world("w2").reset();
    const listed = [
      { name: "default", groups: 5, requests: 0, failures: 0 },
      { name: "w1", groups: 6, requests: 2, failures: 0 },
      { name: "w2", groups: 5, requests: 0, failures: 0 },
    ];
    expect(await world.worlds()).toEqual(listed);
    expect((await call("GET", `${mock.url}/worlds/w1/__admin/worlds`)).body).toEqual({ worlds: listed });
  });

  it.each(["x".repeat(64), "A-Z.a_z-0.9", "7", "__proto__", "constructor", "..."])(
    "can have the name %s",
    async (name) => {
      expect((await create(world.world(name).url, "new")).body.new_user_group).toBe(true);
      expect(await world.world(name).health()).toMatchObject({ world: name, groups: 6 });
      expect(await names()).toEqual(["default", name]);
    },
  );

  it.each(["", "x".repeat(65), "a b", "ä", "a/b", "a?b", "a#b", "a%20b", "a\\b", "<b>", ".", ".."])(
    "reject the name %j with the rule for names",
    async (name) => {
      await create(world.url, "new");
      const { code, message } = await refusalOf((async () => world.world(name).reset())());
      expect([code, message]).toEqual([
        "invalid_world",
        expect.stringContaining("1 to 64 of the characters A–Z a–z 0–9 . _ -"),
      ]);
      expect(await names()).toEqual(["default"]);
      expect((await world.health()).groups).toBe(6);
    },
  );

  it.each(["", "x".repeat(65), "a b", "ä", "a/b", "<b>"])(
    "reject a base URL with the name %j",
    async (name) => {
      for (const path of ["/api/user", "/__admin/health"]) {
        const { status, body } = await call("GET", `${mock.url}/worlds/${encodeURIComponent(name)}${path}`);
        expect([status, body.success, body.error.code]).toEqual([404, successOf(path), "invalid_world"]);
        expect(body.error.message).toContain("1 to 64 of the characters A–Z a–z 0–9 . _ -");
      }
      expect(await names()).toEqual(["default"]);
    },
  );

  it.each([".", "..", "%2e%2e"])("are not entered by a path that clients normalise: %s", async (name) => {
    expect(await statusOf(mock.url, `/worlds/${name}/__admin/health`)).toBe(404);
    expect(await names()).toEqual(["default"]);
  });

  it("are removed when they are dropped, and start from the seed when they are used again", async () => {
    const [w1, w2] = [world.world("w1"), world.world("w2")];
    const seed = await world.state();
    for (const { url } of [w1, w2]) await create(url, "new");
    await w1.fault({ status: 503, times: "always" });
    const kept = await w1.snapshot();
    await w1.drop();
    expect(await names()).toEqual(["default", "w2"]);
    expect((await w2.health()).groups).toBe(6);
    expect([await w1.state(), await w1.requests(), await w1.faults()]).toEqual([seed, [], []]);
    expect((await refusalOf(w1.restore(kept))).code).toBe("unknown_snapshot");
    expect((await create(w1.url, "new")).headers["usergroup-mock-request"]).toBe("1");
  });

  it("can be dropped by a test that has not used one; the admin API returns 404", async () => {
    await world.world("w1").drop();
    const { status, body } = await call("DELETE", `${mock.url}/__admin/worlds/w1`);
    expect([status, body.error]).toEqual([404, { code: "unknown_world", message: "There is no world w1." }]);
    expect(await names()).toEqual(["default"]);
  });

  it("always include the default world: it is created again when it is dropped", async () => {
    const seed = await world.state();
    await create(world.url, "new");
    await world.drop();
    expect([await names(), await world.state(), await world.requests()]).toEqual([["default"], seed, []]);
  });

  it("can be dropped all at once", async () => {
    for (const name of ["w1", "w2"]) await create(world.world(name).url, "new");
    await create(world.url, "new");
    expect((await call("DELETE", `${mock.url}/__admin/worlds`)).status).toBe(200);
    expect(await world.worlds()).toEqual([{ name: "default", groups: 5, requests: 0, failures: 0 }]);
  });

  it("are limited by --max-worlds, and can be created again after a drop", async () => {
    await using small = await startMock({ maxWorlds: 3 });
    const first = await steer(small);
    for (const name of ["w1", "w2"]) await create(first.world(name).url, "new");
    const w3 = first.world("w3");
    for (const path of ["/api/user", "/__admin/reset"]) {
      const { status, body } = await call("POST", `${w3.url}${path}`);
      expect([status, body.success, body.error.code]).toEqual([429, successOf(path), "too_many_worlds"]);
      expect(body.error.message).toMatch(/There are already 3 worlds\. Drop some .*--max-worlds/);
    }
    const { code, message } = await refusalOf(w3.reset());
    expect([code, message]).toEqual(["too_many_worlds", expect.stringContaining("--max-worlds")]);
    expect((await create(first.world("w2").url, "new")).body.new_user_group).toBe(false);
    await first.world("w1").drop();
    expect((await create(w3.url, "new")).body.new_user_group).toBe(true);
    expect((await first.worlds()).map(({ name }) => name)).toEqual(["default", "w2", "w3"]);
  });

  it("stay isolated with many parallel workers and faults in half of them", async () => {
    const seed = await world.state();
    const work = async (worker: number): Promise<string[]> => {
      const mine = world.world(`worker-${worker}`);
      const isArmed = worker % 2 === 1;
      if (isArmed) await mine.fault({ operation: "rotate", status: 503 });
      const created = await create(mine.url, "shared-id");
      expect(created.body.new_user_group).toBe(true);
      const { token } = created.body.user_group;
      if (isArmed) expect((await rotate(mine.url, token)).status).toBe(503);
      const rotated = await rotate(mine.url, token);
      expect(rotated.status).toBe(200);
      const journal = await mine.requests();
      expect(journal.map(({ id, outcome }) => [id, outcome])).toEqual(
        (isArmed ? ["success", "fault", "success"] : ["success", "success"]).map((was, i) => [i + 1, was]),
      );
      await mine.assertFaultsFired();
      await mine.reset();
      const again = await create(mine.url, "shared-id");
      expect(again.body).toEqual(created.body);
      expect(again.headers["usergroup-mock-request"]).toBe("1");
      expect((await rotate(mine.url, token)).status).toBe(200);
      await mine.reset();
      expect([await mine.state(), await mine.faults()]).toEqual([seed, []]);
      return [token, rotated.body.user_group.token];
    };
    const workers = draws(24, 200);
    const tokens = await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    expect(new Set(tokens.flat()).size).toBe(2 * workers);
    const listed = await world.worlds();
    expect(listed).toHaveLength(workers + 1);
    for (const { groups, requests } of listed) expect([groups, requests]).toEqual([5, 0]);
  });
});

describe("many worlds", () => {
  it("are limited to 10,000 by default, and can be created again after a drop", async () => {
    await using mock = await startMock();
    for (let n = 1; n < 10_000; n++) await mock.world(`w${n}`).reset();
    const { code, message } = await refusalOf(mock.world("one-more").reset());
    expect([code, message]).toEqual(["too_many_worlds", expect.stringContaining("10000 worlds")]);
    expect((await create(mock.world("w9999").url, "new")).status).toBe(200);
    expect((await call("DELETE", `${mock.url}/__admin/worlds`)).status).toBe(200);
    await mock.world("one-more").reset();
    expect(await mock.world("one-more").health()).toMatchObject({ worlds: 2, groups: 5 });
  });
});

describe("Worlds", () => {
  const refused = (act: () => void) => refusalOf((async () => act())());

  it("previews a world without creating it", async () => {
    const worlds = await worldsInProcess();
    const seen = worlds.findOrPreview("a");
    expect([seen.isPreview, seen.name, seen.epoch.groups.size]).toEqual([true, "a", 5]);
    expect(worlds.all().map(({ name }) => name)).toEqual(["default"]);
    const entered = worlds.enter("a");
    expect([entered.isPreview, worlds.all()]).toMatchObject([false, [{ name: "default" }, { name: "a" }]]);
    expect([worlds.findOrPreview("a"), worlds.enter("a")]).toEqual([entered, entered]);
    expect(worlds.findOrPreview("a")).toBe(entered);
    expect(worlds.enter("a")).toBe(entered);
  });

  it.each<[name: unknown, shown: string]>([
    ["", '""'],
    ["a b", '"a b"'],
    ["..", '".."'],
    ["x\ny", '"x\\ny"'],
    [7, "7"],
    [["a"], '["a"]'],
  ])("rejects the name %j", async (name, shown) => {
    const worlds = await worldsInProcess();
    const named = name as string;
    for (const act of [() => worlds.findOrPreview(named), () => worlds.enter(named)]) {
      const { code, message } = await refused(act);
      expect([code, message]).toEqual([
        "invalid_world",
        `${shown} is not a valid world name. Use 1 to 64 of the characters A–Z a–z 0–9 . _ -, but not . or .. alone.`,
      ]);
    }
  });

  it("limits the number of worlds, with advice", async () => {
    const worlds = await worldsInProcess({ maxWorlds: 2 });
    worlds.enter("a");
    const { code, message } = await refused(() => worlds.enter("b"));
    expect([code, message]).toEqual([
      "too_many_worlds",
      "There are already 2 worlds. Drop some (DELETE /__admin/worlds), or start with a larger --max-worlds.",
    ]);
    worlds.drop("a");
    expect(worlds.enter("b").isPreview).toBe(false);
  });

  it("reports health and uptime", async () => {
    const before = performance.now();
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    world.addGroup({ provided_id: "x", name: "x" });
    await expect.poll(() => worlds.health(world).uptimeMs).toBeGreaterThan(5);
    const { uptimeMs, ...health } = worlds.health(world);
    expect(health).toEqual({ status: "ok", version: "1.2.3", world: "a", worlds: 2, groups: 6 });
    expect(Number.isInteger(uptimeMs)).toBe(true);
    expect(uptimeMs).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
  });

  it("finds the world that issued a token", async () => {
    const worlds = await worldsInProcess();
    const { token } = worlds.enter("a").addGroup({ provided_id: "x", name: "x" });
    worlds.enter("b");
    expect([worlds.issuerOf(token), worlds.issuerOf("unheard-of")]).toEqual(["a", undefined]);
  });

  it("emits an event and ends a world when it is dropped", async () => {
    const worlds = await worldsInProcess();
    const received: unknown[] = [];
    const world = worlds.enter("a");
    world.events.listen({ notify: (event) => received.push(event), end: () => received.push("ended") });
    const held = refusalOf(world.epoch.waits.wait({}));
    worlds.drop("a");
    expect(received).toEqual([{ type: "change", what: "dropped" }, "ended"]);
    expect((await held).message).toBe("This wait was aborted: the world was dropped.");
    world.events.emit({ type: "change", what: "reset" });
    expect(received).toHaveLength(2);
  });

  it("ends all worlds when the server stops", async () => {
    const worlds = await worldsInProcess();
    const waits = ["a", "b"].map((name) => refusalOf(worlds.enter(name).epoch.waits.wait({})));
    worlds.stop();
    for (const wait of waits) {
      const { code, message } = await wait;
      expect([code, message]).toEqual(["aborted", "This wait was aborted: the mock was stopped."]);
    }
  });
});
