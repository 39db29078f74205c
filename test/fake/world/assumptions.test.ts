import { describe, expect, it } from "vitest";
import {
  assumptionIds,
  assumptions,
  situationsOf,
  valuesOf,
} from "../../../src/fake/contract/assumptions.js";
import type { AssumptionChoice, World } from "../../../src/index.js";
import { call, create } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { defaultAssumptions } from "../../default-behaviour.js";
import { ownWorld } from "./own-world.js";
import { rejectionOf } from "./rejection.js";

const serverValues = { "created-status": "201", "old-token": "accepted" } as const;
const begun = { ...defaultAssumptions, ...serverValues };

const valuesIn = async (world: World) =>
  Object.fromEntries((await world.assumptions()).map(({ id, value }) => [id, value]));

describe("assumptions of a world", () => {
  const own = ownWorld({ assume: serverValues });

  it("start with the values of the server, and are listed with question, source, values and reason", async () => {
    const entries = await own.world.assumptions();
    expect(entries).toEqual(
      assumptionIds.map((id) => {
        const { question, openBecause, why, values } = assumptions[id];
        return {
          id,
          question,
          openBecause,
          why,
          value: begun[id],
          default: valuesOf(id)[0],
          source: Object.hasOwn(serverValues, id) ? "set" : "default",
          values: Object.entries(values).map(([value, meaning]) => ({ value, meaning })),
          situations: situationsOf(id),
        };
      }),
    );
  });

  it("assume() changes the given ones of one world, until a reset, but not by a load", async () => {
    const { world } = own;
    const other = world.world(`${world.name}-other`);
    const choice: { "created-status": "200" | "201" } = { "created-status": "200" };
    await world.assume(choice);
    await world.assume({ "failure-body": "bare" });
    await world.assume({});
    choice["created-status"] = "201";
    await other.assume({ "created-status": "200" });
    expect((await create(other.url)).status).toBe(200);
    await world.load(await world.state());
    await other.reset();
    const changed = { ...begun, "created-status": "200", "failure-body": "bare" };
    expect([await valuesIn(world), await valuesIn(other)]).toEqual([changed, begun]);
    expect([(await create(world.url)).status, (await create(other.url)).status]).toEqual([200, 201]);
    await world.reset();
    expect(await valuesIn(world)).toEqual(begun);
  });

  it("return to the values of the server after the world is dropped", async () => {
    await own.world.assume({ "created-status": "200" });
    await own.world.drop();
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it("do not change for a request that has begun", async () => {
    const { world } = own;
    const inFlight = await callInFlight("GET", world.url, { user_group_id: "a", name: "A" });
    await world.assume({ "created-status": "200" });
    const { status, headers } = await inFlight.finish();
    expect([status, headers["usergroup-mock-assumed"]]).toEqual([201, "created-status=201"]);
    expect((await world.requests())[0]?.assumed).toEqual({ "created-status": "201" });
  });

  it("are all kept if one of a choice is invalid", async () => {
    const choice = { "group-scope": "global", "old-token": "perhaps" };
    // TypeScript would reject it.
    const { code, details } = await rejectionOf(own.world.assume(choice as AssumptionChoice));
    expect([code, details.map(({ path }) => path)]).toEqual(["invalid_assumption", ["/old-token"]]);
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it("PATCH returns the whole table", async () => {
    const url = `${own.world.url}/__admin/assumptions`;
    const patched = await call("PATCH", url, { "videos-path": "rotates" });
    expect(patched.body.assumptions).toContainEqual(
      expect.objectContaining({ id: "videos-path", value: "rotates" }),
    );
    expect((await call("GET", url)).body).toEqual(patched.body);
  });
});
