import { describe, expect, it } from "vitest";
import { call, create, getOrCreate, rotate } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { seededToken } from "../../seeded.js";
import { unusedMethod } from "../../unused-methods.js";
import { ownWorld } from "./own-world.js";
import { watchCreate } from "./watched-call.js";

/** Starts so many at the same time. */
const atOnce = <T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)));

describe("simultaneous requests", () => {
  const own = ownWorld();

  it("do not appear after a reset if they began before it", async () => {
    const seed = await own.world.state();
    const held = await own.world.hold({ match: { name: "held" }, times: 20 });
    await own.world.fault({ match: { name: "slow" }, delayMs: 60_000, times: 20, phase: "after" });
    const waiting = ["held", "slow"].flatMap((name) =>
      Array.from({ length: 20 }, (_, n) =>
        getOrCreate(own.world.url, { user_group_id: `${name}-${n}`, name }),
      ),
    );
    const halfSent = await atOnce(40, (n) =>
      n % 2 === 0
        ? callInFlight("GET", own.world.url, { user_group_id: `half-${n}`, name: "half" })
        : callInFlight("POST", own.world.url, { current_token: seededToken }),
    );
    await held.arrived();
    await expect.poll(async () => (await own.world.faults()).map(({ fired }) => fired)).toEqual([20, 20]);
    await own.world.reset();
    const [responses] = await Promise.all([
      Promise.all([...waiting, ...halfSent.map((half) => half.finish())]),
      atOnce(40, (n) => create(own.world.url, `later-${n}`)),
    ]);
    expect(responses).toHaveLength(80);
    const journal = await own.world.requests();
    expect(journal.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    for (const { request } of journal) expect(JSON.stringify(request.body)).toContain("later-");
    const { user_groups = [] } = await own.world.state();
    const before = new Set(seed.user_groups?.map(({ provided_id }) => provided_id));
    const added = user_groups.filter(({ provided_id }) => !before.has(provided_id));
    expect(added).toHaveLength(40);
    for (const { provided_id } of added) expect(provided_id).toMatch(/^later-/);
    expect((await rotate(own.world.url, seededToken)).status).toBe(200);
  });

  it("have journal ids without gaps and duplicates", async () => {
    const { url } = own.world;
    for (const effect of [{ reset: true }, { empty: true }, { truncate: true }] as const) {
      await own.world.fault({ ...effect, match: { name: "broken" }, times: 4 });
    }
    const kinds = [
      (n: number) => create(url, `new-${n}`),
      () => rotate(url, "unheard-of"),
      () => call(unusedMethod, `${url}/api/user`, {}),
      () => call("GET", `${url}/nowhere`),
      () => getOrCreate(url, {}, { apiToken: "unheard-of" }),
      () => getOrCreate(url, "{"),
      () => watchCreate(url, "broken"),
    ];
    await atOnce(70, async (n) => {
      await kinds[n % kinds.length]?.(n);
    });
    const journal = await own.world.requests();
    expect(journal.map(({ id }) => id)).toEqual(Array.from({ length: 70 }, (_, n) => n + 1));
    expect(journal.filter(({ outcome }) => outcome === "fault")).toHaveLength(10);
    expect(journal.filter(({ outcome }) => outcome === "success")).toHaveLength(10);
    for (const { id, response } of journal) {
      if (response !== null) expect(response.headers["usergroup-mock-request"]).toBe(`${id}`);
    }
  });
});
