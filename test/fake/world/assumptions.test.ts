import { describe, expect, it } from "vitest";
import {
  assumptionIds,
  assumptions,
  defaultAssumptions,
  valuesOf,
} from "../../../src/fake/contract/assumptions.js";
import type { AssumptionChoice, World } from "../../../src/index.js";
import { call, create } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { ownWorld } from "./own-world.js";
import { rejectionOf } from "./rejection.js";

const serverValues = { "created-status": "201", "old-token": "accepted" } as const;
const begun = { ...defaultAssumptions, ...serverValues };

const valuesIn = async (world: World) =>
  Object.fromEntries((await world.assumptions()).map(({ id, value }) => [id, value]));

/** A value that TypeScript would reject. */
const untyped = (choice: unknown) => choice as AssumptionChoice;

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

  it.each([
    [{ "old-tokens": "accepted" }, "/old-tokens", "is not a known field; did you mean old-token?"],
    [{ "created-status": 201 }, "/created-status", 'must be "200" or "201"'],
    [{ "old-token": ["accepted"] }, "/old-token", 'must be "rejected" or "accepted"'],
    [{ constructor: "accepted" }, "/constructor", "is not a known field"],
    [{ "old-token": "constructor" }, "/old-token", 'must be "rejected" or "accepted"'],
    [JSON.parse('{"__proto__":{"old-token":"accepted"}}'), "/__proto__", "is not a known field"],
    [[], "", "must be object"],
    [null, "", "must be object"],
  ])("reject %j with place and possible values, and change nothing", async (choice, path, text) => {
    // The valid one must not be applied either.
    const isOne = choice !== null && !Array.isArray(choice);
    const given = isOne ? { "group-scope": "global", ...choice } : choice;
    const rejection = await rejectionOf(own.world.assume(untyped(given)));
    expect(rejection.code).toBe("invalid_assumption");
    expect(rejection.details).toEqual([{ path, message: expect.stringContaining(text) }]);
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it("PATCH returns the whole table, or 400 with every problem", async () => {
    const url = `${own.world.url}/__admin/assumptions`;
    const patched = await call("PATCH", url, { "videos-path": "rotates" });
    expect(patched.body.assumptions.at(-1)).toMatchObject({ id: "videos-path", value: "rotates" });
    expect((await call("GET", url)).body).toEqual(patched.body);
    const { status, body } = await call("PATCH", url, { "old-tokn": "x", "old-token": "x" });
    expect([status, body.error.code]).toEqual([400, "invalid_assumption"]);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["/old-tokn", "/old-token"]);
  });
});
