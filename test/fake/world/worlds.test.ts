import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import { call, create, rotate } from "../../call.js";
import { draws } from "../../long.js";
import { seededToken } from "../../seeded.js";
import { ownMock } from "./own-world.js";
import { rejectionOf } from "./rejection.js";

/** Which part of the mock rejected: only responses of the service have `success`. */
const successOf = (path: string) => (path === "/api/user" ? 0 : undefined);

describe("worlds", () => {
  const own = ownMock();

  const names = async () => (await own.mock.worlds()).map(({ name }) => name);

  it("include the default world, at the bare URL and under its name", async () => {
    await create(`${own.mock.url}/worlds/default`, "new");
    expect((await create(own.mock.url, "new")).body.new_user_group).toBe(false);
    expect(await own.mock.world("default").requests()).toEqual(await own.mock.requests());
    expect(await own.mock.requests()).toHaveLength(2);
    expect(await names()).toEqual(["default"]);
  });

  it("are created on first use, from the seed", async () => {
    const seed = await own.mock.state();
    await create(own.mock.url, "new");
    await rotate(own.mock.url, seededToken);
    const w1 = own.mock.world("w1");
    expect(await names()).toEqual(["default"]);
    expect(await w1.state()).toEqual(seed);
    expect((await rotate(own.mock.world("w2").url, seededToken)).status).toBe(200);
    // GET does not create a world.
    expect(await names()).toEqual(["default", "w2"]);
  });

  it.each(["x".repeat(64), "A-Z.a_z-0.9", "__proto__", "..."])("can have the name %s", async (name) => {
    expect((await create(own.mock.world(name).url, "new")).body.new_user_group).toBe(true);
    expect(await own.mock.world(name).health()).toMatchObject({ world: name, groups: 6 });
    expect(await names()).toEqual(["default", name]);
  });

  it.each([
    ["x".repeat(65), /^x{47}-[0-9a-f]{16}$/],
    ["PUT /groups creates a group", /^PUT-groups-creates-a-group-[0-9a-f]{16}$/],
    ["a?b#c%20d\\e", /^a-b-c-20d-e-[0-9a-f]{16}$/],
    ["..", /^[0-9a-f]{16}$/],
    ["创建 2 个组", /^2-[0-9a-f]{16}$/],
  ])("can have any text instead of a name, which becomes the label of resets: %j", async (text, name) => {
    const named = own.mock.world(text);
    expect(named.name).toMatch(name);
    expect((await create(named.url, "new")).body.new_user_group).toBe(true);
    expect(await names()).toEqual(["default", named.name]);
    await named.reset();
    await named.reset({ label: "another" });
    await named.reset();
    expect((await named.history()).map(({ label }) => label)).toEqual(["another", text, undefined]);
  });

  it("are different for texts whose hashes begin with the same 32 bits", async () => {
    const [one, two] = [own.mock.world("测试三六八三九"), own.mock.world("测试四六七八九")];
    expect((await create(one.url, "new")).body.new_user_group).toBe(true);
    expect((await create(two.url, "new")).body.new_user_group).toBe(true);
  });

  it("reject a base URL with an invalid name, and list the allowed characters", async () => {
    for (const path of ["/api/user", "/__admin/health"]) {
      const { status, body } = await call("GET", `${own.mock.url}/worlds/a%20b${path}`);
      expect([status, body.success, body.error.code]).toEqual([404, successOf(path), "invalid_world"]);
      expect(body.error.message).toContain("1 to 64 of the characters A–Z a–z 0–9 . _ -");
    }
  });

  it("are removed when they are dropped, and start from the seed when they are used again", async () => {
    const [w1, w2] = [own.mock.world("w1"), own.mock.world("w2")];
    const seed = await own.mock.state();
    for (const { url } of [w1, w2]) await create(url, "new");
    await w1.fault({ status: 503, times: "always" });
    await w1.drop();
    expect(await names()).toEqual(["default", "w2"]);
    expect((await w2.health()).groups).toBe(6);
    expect([await w1.state(), await w1.requests(), await w1.faults()]).toEqual([seed, [], []]);
    expect((await create(w1.url, "new")).headers["usergroup-mock-request"]).toBe("1");
  });

  it("can be dropped by a test that has not used one; the admin API returns 404", async () => {
    await own.mock.world("w1").drop();
    const { status, body } = await call("DELETE", `${own.mock.url}/__admin/worlds/w1`);
    expect([status, body.error]).toEqual([404, { code: "unknown_world", message: "There is no world w1." }]);
    expect(await names()).toEqual(["default"]);
  });

  it("always include the default world: it is created again when it is dropped", async () => {
    const seed = await own.mock.state();
    await create(own.mock.url, "new");
    await own.mock.drop();
    expect([await names(), await own.mock.state(), await own.mock.requests()]).toEqual([
      ["default"],
      seed,
      [],
    ]);
  });

  it("are limited to 10,000, and can be created again after a drop", async () => {
    await using full = await startMock();
    for (let n = 1; n < 10_000; n++) await full.world(`w${n}`).reset();
    const next = full.world("next");
    for (const path of ["/api/user", "/__admin/reset"]) {
      const { status, body } = await call("POST", `${next.url}${path}`);
      expect([status, body.success, body.error.code]).toEqual([429, successOf(path), "too_many_worlds"]);
    }
    const { code, message } = await rejectionOf(next.reset());
    expect([code, message]).toEqual([
      "too_many_worlds",
      "There are already 10000 worlds. Drop those that are no longer used: world.drop(), or DELETE /__admin/worlds/{name}.",
    ]);
    expect((await create(full.world("w2").url, "new")).status).toBe(200);
    await full.world("w1").drop();
    expect((await create(next.url, "new")).body.new_user_group).toBe(true);
    expect(await full.worlds()).toHaveLength(10_000);
  });

  it("stay isolated with many parallel workers and faults in half of them", async () => {
    const seed = await own.mock.state();
    const work = async (worker: number): Promise<string[]> => {
      const mine = own.mock.world(`worker-${worker}`);
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
      expect([again.body.new_user_group, again.body.user_group.token === token]).toEqual([true, false]);
      expect(again.headers["usergroup-mock-request"]).toBe("1");
      await mine.reset();
      expect([await mine.state(), await mine.faults()]).toEqual([seed, []]);
      return [token, rotated.body.user_group.token];
    };
    const workers = draws(24, 200);
    const tokens = await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
    expect(new Set(tokens.flat()).size).toBe(2 * workers);
    const listed = await own.mock.worlds();
    expect(listed).toHaveLength(workers + 1);
    for (const { groups, requests } of listed) expect([groups, requests]).toEqual([5, 0]);
  });
});
