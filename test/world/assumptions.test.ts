import { describe, expect, it } from "vitest";
import type { AssumptionChoice, World } from "../../src/index.js";
import { assumptionIds, assumptions, defaultAssumptions, valuesOf } from "../../src/service/assumptions.js";
import { call, getOrCreate, rotate } from "../call.js";
import { callInFlight } from "../call-in-flight.js";
import { bothWays } from "./both-ways.js";
import { ownWorld } from "./own-world.js";
import { refusalOf } from "./refusal.js";

const serverValues = { "created-status": "201", "old-token": "accepted" } as const;
const begun = { ...defaultAssumptions, ...serverValues };

const valuesIn = async (world: World) =>
  Object.fromEntries((await world.assumptions()).map(({ id, value }) => [id, value]));
const create = ({ url }: World, id: string) => getOrCreate(url, { user_group_id: id, name: "A" });

/** What types would not let through, and JSON does. */
const untyped = (choice: unknown) => choice as AssumptionChoice;

describe.each(bothWays)("assumptions of a world, over %s", (_, steer) => {
  const its = ownWorld(steer, { assume: serverValues });

  it("begin as those of the server", async () => {
    expect(await valuesIn(its.world)).toEqual(begun);
    expect((await create(its.world, "a")).status).toBe(201);
  });

  it("are told with their question, what leaves it open, every value and why the default is one", async () => {
    const entries = await its.world.assumptions();
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

  it("change with assume, the others staying as they are", async () => {
    await its.world.assume({ "created-status": "200", "rotated-token": "same" });
    await its.world.assume({ "failure-body": "bare" });
    expect(await valuesIn(its.world)).toEqual({
      ...begun,
      "created-status": "200",
      "rotated-token": "same",
      "failure-body": "bare",
    });
  });

  it("decide the very next call, and are named by it and in the journal", async () => {
    const { token } = (await create(its.world, "a")).body.user_group;
    await its.world.assume({ "rotated-token": "same" });
    const { body, headers } = await rotate(its.world.url, token);
    expect(body.user_group.token).toBe(token);
    expect(headers["usergroup-mock-assumed"]).toBe("rotated-token=same");
    const [entry] = await its.world.requests({ operation: "rotate" });
    expect(entry?.assumed).toEqual({ "rotated-token": "same" });
  });

  it("do not change under a call that has begun", async () => {
    const { world } = its;
    const inFlight = await callInFlight("GET", world.url, { user_group_id: "a", name: "A" });
    await world.assume({ "created-status": "200" });
    const { status, headers } = await inFlight.finish();
    expect([status, headers["usergroup-mock-assumed"]]).toEqual([201, "created-status=201"]);
    expect((await create(world, "b")).status).toBe(200);
  });

  it("are each world's own", async () => {
    const other = its.world.world(`${its.world.name}-other`);
    await its.world.assume({ "created-status": "200" });
    expect(await valuesIn(other)).toEqual(begun);
    expect((await create(other, "a")).status).toBe(201);
    expect((await create(its.world, "a")).status).toBe(200);
    await other.reset();
    expect((await valuesIn(its.world))["created-status"]).toBe("200");
  });

  it("go back to those of the server with reset, and not to the defaults", async () => {
    await its.world.assume({ "created-status": "200", "old-token": "rejected", "empty-strings": "accepted" });
    await its.world.reset();
    expect(await valuesIn(its.world)).toEqual(begun);
  });

  it("are those of the server again in a world that was dropped", async () => {
    await its.world.assume({ "created-status": "200" });
    await its.world.drop();
    expect(await valuesIn(its.world)).toEqual(begun);
  });

  it("stay when groups are loaded", async () => {
    await its.world.assume({ "created-status": "200" });
    await its.world.load(await its.world.state());
    expect((await valuesIn(its.world))["created-status"]).toBe("200");
  });

  it("come back with a snapshot, also over a reset", async () => {
    await its.world.assume({ "created-status": "200", "group-scope": "global" });
    const kept = await its.world.snapshot();
    const then = await valuesIn(its.world);
    await its.world.assume({ "created-status": "201", "failure-status": "always-200" });
    await its.world.restore(kept);
    expect(await valuesIn(its.world)).toEqual(then);
    await its.world.reset();
    await its.world.restore(kept);
    expect(await valuesIn(its.world)).toEqual(then);
    expect((await create(its.world, "a")).status).toBe(200);
  });

  it("are not reached by changing what was given or told", async () => {
    const choice: { "created-status": "200" | "201" } = { "created-status": "200" };
    await its.world.assume(choice);
    choice["created-status"] = "201";
    const entries = await its.world.assumptions();
    for (const entry of entries) entry.value = "changed";
    expect(await valuesIn(its.world)).toEqual({ ...begun, "created-status": "200" });
  });

  it("take a number for what looks like one", async () => {
    await its.world.assume(untyped({ "created-status": 200 }));
    expect((await valuesIn(its.world))["created-status"]).toBe("200");
  });

  it("take an empty choice, which changes nothing", async () => {
    await its.world.assume({});
    expect(await valuesIn(its.world)).toEqual(begun);
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
  ])("refuse %j, say where and what there is, and change nothing", async (choice, path, words) => {
    // The good one beside it must not be taken either.
    const refusal = await refusalOf(its.world.assume(untyped({ "group-scope": "global", ...choice })));
    expect(refusal.code).toBe("invalid_assumption");
    expect(refusal.details).toEqual([{ path, message: expect.stringContaining(words) }]);
    expect(refusal.message).toContain(words);
    expect(await valuesIn(its.world)).toEqual(begun);
  });

  it("refuse all that is wrong at once", async () => {
    const choice = untyped({ "old-tokens": "accepted", "old-token": "yes", "created-status": "200" });
    const { details } = await refusalOf(its.world.assume(choice));
    expect(details.map(({ path }) => path)).toEqual(["/old-tokens", "/old-token"]);
    expect(await valuesIn(its.world)).toEqual(begun);
  });

  it.each([[["old-token"]], ["old-token=accepted"], [null], [7]])(
    "refuse what is no object of ids and values: %j",
    async (choice) => {
      const { code, message } = await refusalOf(its.world.assume(untyped(choice)));
      expect([code, message]).toEqual([
        "invalid_assumption",
        'Assumptions are ids and values, as in {"old-token": "accepted"}:\n  must be object',
      ]);
    },
  );
});

describe("/__admin/assumptions", () => {
  const its = ownWorld(async (mock) => mock);
  const at = (world: World) => `${world.url}/__admin/assumptions`;

  it("answers a PATCH with the whole ledger, as GET does from then on", async () => {
    const patched = await call("PATCH", at(its.world), { "videos-path": "rotates" });
    expect(patched.status).toBe(200);
    expect(patched.body.assumptions).toHaveLength(assumptionIds.length);
    expect(patched.body.assumptions.at(-1)).toMatchObject({ id: "videos-path", value: "rotates" });
    expect((await call("GET", at(its.world))).body).toEqual(patched.body);
    expect((await call("GET", at(its.mock))).body).not.toEqual(patched.body);
  });

  it("is the default world's at the root", async () => {
    await its.mock.assume({ "trailing-slash": "accepted" });
    const { body } = await call("GET", `${its.mock.url}/__admin/assumptions`);
    expect(body.assumptions.find(({ id }: { id: string }) => id === "trailing-slash").value).toBe("accepted");
    await its.mock.reset();
  });

  it("answers 400 with every problem and its place", async () => {
    const { status, body } = await call("PATCH", at(its.world), { "old-tokn": "x", "old-token": "x" });
    expect([status, body.error.code]).toEqual([400, "invalid_assumption"]);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["/old-tokn", "/old-token"]);
  });

  it.each([
    ["no body", undefined, "missing_body"],
    ["no JSON", "{", "invalid_json"],
    ["a list", [], "invalid_assumption"],
    ["null", "null", "invalid_assumption"],
    ["__proto__", '{"__proto__": {"old-token": "accepted"}}', "invalid_assumption"],
  ])("answers 400 to %s, and changes nothing", async (_, sent, code) => {
    const { status, body } = await call("PATCH", at(its.world), sent);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(await valuesIn(its.world)).toEqual(defaultAssumptions);
  });

  it.each(["PUT", "POST", "DELETE"])("answers 405 to %s", async (method) => {
    const { status, headers } = await call(method, at(its.world), {});
    expect([status, headers.allow]).toEqual([405, "GET, PATCH"]);
  });
});
