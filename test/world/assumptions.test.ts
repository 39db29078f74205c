import { describe, expect, it } from "vitest";
import { assumptionIds, assumptions, defaultAssumptions, valuesOf } from "../../src/contract/assumptions.js";
import type { AssumptionChoice, World } from "../../src/index.js";
import { call, getOrCreate, rotate } from "../call.js";
import { callInFlight } from "../call-in-flight.js";
import { ownWorld } from "./own-world.js";
import { refusalOf } from "./refusal.js";

const serverValues = { "created-status": "201", "old-token": "accepted" } as const;
const begun = { ...defaultAssumptions, ...serverValues };

const valuesIn = async (world: World) =>
  Object.fromEntries((await world.assumptions()).map(({ id, value }) => [id, value]));
const create = ({ url }: World, id: string) => getOrCreate(url, { user_group_id: id, name: "A" });

/** A value that TypeScript would reject. */
const untyped = (choice: unknown) => choice as AssumptionChoice;

describe("assumptions of a world", () => {
  const own = ownWorld({ assume: serverValues });

  it("start with the values of the server", async () => {
    expect(await valuesIn(own.world)).toEqual(begun);
    expect((await create(own.world, "a")).status).toBe(201);
  });

  it("are listed with question, source, values and the reason for the default", async () => {
    const entries = await own.world.assumptions();
    expect(entries.map(({ id }) => id)).toEqual(assumptionIds);
    for (const [n, id] of assumptionIds.entries()) {
      const { question, openBecause, why } = assumptions[id];
      expect(entries[n]).toEqual({
        id,
        question,
        openBecause,
        why,
        value: begun[id],
        default: valuesOf(id)[0],
        values: Object.entries(assumptions[id].values).map(([value, meaning]) => ({ value, meaning })),
      });
    }
  });

  it("assume() changes the given ones and keeps the others", async () => {
    await own.world.assume({ "created-status": "200", "rotated-token": "same" });
    await own.world.assume({ "failure-body": "bare" });
    expect(await valuesIn(own.world)).toEqual({
      ...begun,
      "created-status": "200",
      "rotated-token": "same",
      "failure-body": "bare",
    });
  });

  it("decide the next request, which names them in a header and in the journal", async () => {
    const { token } = (await create(own.world, "a")).body.user_group;
    await own.world.assume({ "rotated-token": "same" });
    const { body, headers } = await rotate(own.world.url, token);
    expect(body.user_group.token).toBe(token);
    expect(headers["usergroup-mock-assumed"]).toBe("rotated-token=same");
    const [entry] = await own.world.requests({ operation: "rotate" });
    expect(entry?.assumed).toEqual({ "rotated-token": "same" });
  });

  it("do not change for a request that has begun", async () => {
    const { world } = own;
    const inFlight = await callInFlight("GET", world.url, { user_group_id: "a", name: "A" });
    await world.assume({ "created-status": "200" });
    const { status, headers } = await inFlight.finish();
    expect([status, headers["usergroup-mock-assumed"]]).toEqual([201, "created-status=201"]);
    expect((await create(world, "b")).status).toBe(200);
  });

  it("belong to one world", async () => {
    const other = own.world.world(`${own.world.name}-other`);
    await own.world.assume({ "created-status": "200" });
    expect(await valuesIn(other)).toEqual(begun);
    expect((await create(other, "a")).status).toBe(201);
    expect((await create(own.world, "a")).status).toBe(200);
    await other.reset();
    expect((await valuesIn(own.world))["created-status"]).toBe("200");
  });

  it("return to the values of the server on reset, not to the defaults", async () => {
    await own.world.assume({ "created-status": "200", "old-token": "rejected", "empty-strings": "accepted" });
    await own.world.reset();
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it("return to the values of the server after the world is dropped", async () => {
    await own.world.assume({ "created-status": "200" });
    await own.world.drop();
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it("stay when groups are loaded", async () => {
    await own.world.assume({ "created-status": "200" });
    await own.world.load(await own.world.state());
    expect((await valuesIn(own.world))["created-status"]).toBe("200");
  });

  it("do not change when an object that was passed in or returned is changed", async () => {
    const choice: { "created-status": "200" | "201" } = { "created-status": "200" };
    await own.world.assume(choice);
    choice["created-status"] = "201";
    const entries = await own.world.assumptions();
    for (const entry of entries) entry.value = "changed";
    expect(await valuesIn(own.world)).toEqual({ ...begun, "created-status": "200" });
  });

  it("accept a number for a value that looks like one", async () => {
    await own.world.assume(untyped({ "created-status": 200 }));
    expect((await valuesIn(own.world))["created-status"]).toBe("200");
  });

  it("accept an empty object, which changes nothing", async () => {
    await own.world.assume({});
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it.each([
    [
      { "old-tokens": "accepted" },
      "/old-tokens",
      "there is no assumption old-tokens; did you mean old-token?",
    ],
    [{ rotatedtoken: "same" }, "/rotatedtoken", "did you mean rotated-token?"],
    [{ "old-token": "acepted" }, "/old-token", "use rejected or accepted"],
    [{ "created-status": 202 }, "/created-status", "202 is not a value of created-status; use 200 or 201"],
    [{ "failure-body": "" }, "/failure-body", "use error-object or message or bare"],
    [{ "old-token": null }, "/old-token", "null is not a value of old-token"],
    [{ "old-token": true }, "/old-token", "true is not a value of old-token"],
    [{ "old-token": ["accepted"] }, "/old-token", '["accepted"] is not a value of old-token'],
    [{ "old-token": { value: "accepted" } }, "/old-token", "is not a value of old-token"],
    [{ constructor: "accepted" }, "/constructor", "there is no assumption constructor"],
    [{ "old-token": "constructor" }, "/old-token", '"constructor" is not a value of old-token'],
  ])("reject %j with place and possible values, and change nothing", async (choice, path, text) => {
    // The valid one must not be applied either.
    const refusal = await refusalOf(own.world.assume(untyped({ "group-scope": "global", ...choice })));
    expect(refusal.code).toBe("invalid_assumption");
    expect(refusal.details).toEqual([{ path, message: expect.stringContaining(text) }]);
    expect(refusal.message).toContain(text);
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it("report all invalid values at once", async () => {
    const choice = untyped({ "old-tokens": "accepted", "old-token": "yes", "created-status": "200" });
    const { details } = await refusalOf(own.world.assume(choice));
    expect(details.map(({ path }) => path)).toEqual(["/old-tokens", "/old-token"]);
    expect(await valuesIn(own.world)).toEqual(begun);
  });

  it.each([[["old-token"]], ["old-token=accepted"], [null], [7]])(
    "reject a value that is not an object of ids and values: %j",
    async (choice) => {
      const { code, message } = await refusalOf(own.world.assume(untyped(choice)));
      expect([code, message]).toEqual(["invalid_assumption", "Invalid assumptions:\n  must be object"]);
    },
  );
});

describe("/__admin/assumptions", () => {
  const own = ownWorld();
  const at = (world: World) => `${world.url}/__admin/assumptions`;

  it("PATCH returns the whole table, like GET afterwards", async () => {
    const patched = await call("PATCH", at(own.world), { "videos-path": "rotates" });
    expect(patched.status).toBe(200);
    expect(patched.body.assumptions).toHaveLength(assumptionIds.length);
    expect(patched.body.assumptions.at(-1)).toMatchObject({ id: "videos-path", value: "rotates" });
    expect((await call("GET", at(own.world))).body).toEqual(patched.body);
    expect((await call("GET", at(own.mock))).body).not.toEqual(patched.body);
  });

  it("belongs to the default world at the root", async () => {
    await own.mock.assume({ "trailing-slash": "accepted" });
    const { body } = await call("GET", `${own.mock.url}/__admin/assumptions`);
    expect(body.assumptions.find(({ id }: { id: string }) => id === "trailing-slash").value).toBe("accepted");
    await own.mock.reset();
  });

  it("returns 400 with every problem and own path", async () => {
    const { status, body } = await call("PATCH", at(own.world), { "old-tokn": "x", "old-token": "x" });
    expect([status, body.error.code]).toEqual([400, "invalid_assumption"]);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["/old-tokn", "/old-token"]);
  });

  it.each([
    ["no body", undefined, "missing_body"],
    ["invalid JSON", "{", "invalid_json"],
    ["a list", [], "invalid_assumption"],
    ["null", "null", "invalid_assumption"],
    ["__proto__", '{"__proto__": {"old-token": "accepted"}}', "invalid_assumption"],
  ])("returns 400 to %s, and changes nothing", async (_, sent, code) => {
    const { status, body } = await call("PATCH", at(own.world), sent);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(await valuesIn(own.world)).toEqual(defaultAssumptions);
  });

  it.each(["PUT", "POST", "DELETE"])("returns 405 to %s", async (method) => {
    const { status, headers } = await call(method, at(own.world), {});
    expect([status, headers.allow]).toEqual([405, "GET, HEAD, PATCH"]);
  });
});
