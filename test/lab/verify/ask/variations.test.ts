import { describe, expect, it, type MockInstance, vi } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import {
  askRequired,
  askVariation,
  isNameTaken,
  type Variation,
  variationName,
  variations,
} from "../../../../src/lab/verify/ask/variations.js";
import type { ServiceClient } from "../../../../src/lab/verify/service/service-client.js";
import {
  recorded,
  rejected,
  responseWith,
  type SeenPart,
  scriptedService,
  success,
} from "../seen-responses.js";

function variation(name: string): Variation {
  const found = variations.find((one) => variationName(one) === name);
  if (found === undefined) throw new Error(`there is no variation ${name}`);
  return found;
}

it("each variation has a name of its own", () => {
  const names = variations.map(variationName);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      "name: null",
      "name: null, of a group that exists",
      "get-or-create: an unknown field",
      "rotate: an unknown field",
    ]),
  );
});

it("no variation has null, an empty text, a list or an object as id: that may be somebody's group", () => {
  const ofIds = variations.filter(({ field }) => field === "user_group_id").map(({ kind }) => kind);
  expect(ofIds).toEqual(["missing", "number"]);
});

describe("a variation is sent", () => {
  async function send(name: string, seen: SeenPart = success({ token: "t" }, {})) {
    const { service, sent } = scriptedService(() => seen);
    service.first = recorded({ body: { user_group_id: "first", name: "First" } }, success({}));
    const isAccepted = await askVariation(service, variation(name));
    return { isAccepted, sent, last: sent.at(-1) };
  }

  it("with a new group, and differs in one field", async () => {
    const { last, sent, isAccepted } = await send("mapping: number");
    expect(Object.keys(last?.body ?? {})).toEqual(["user_group_id", "name", "mapping"]);
    expect(last?.body.mapping).toBeGreaterThan(600_000_000_000_000);
    expect([sent.length, isAccepted]).toEqual([1, true]);
  });

  it("without the field", async () => {
    expect(Object.keys((await send("user_group_id: missing")).last?.body ?? {})).toEqual(["name"]);
  });

  it("about the first group", async () => {
    expect((await send("name: null, of a group that exists")).last?.body).toEqual({
      user_group_id: "first",
      name: null,
    });
  });

  it("with a rotation of a group of its own", async () => {
    const { last, sent } = await send("rotate: an unknown field");
    expect(last).toEqual({ body: { current_token: "t", verify_field: 1 }, options: { method: "POST" } });
    expect(sent).toHaveLength(2);
  });

  it("and is rejected if the service says so", async () => {
    expect((await send("mapping: list", rejected)).isAccepted).toBe(false);
  });

  it.each([
    ["name: object", "the mock takes no object as name"],
    ["mapping: empty", "an empty mapping"],
    ["properties: empty", "an empty properties"],
    ["name: empty", undefined],
    ["mapping: list", undefined],
  ])("with what no profile can express: %s", async (name, inexpressible) => {
    expect((await send(name)).last?.options.inexpressible).toBe(inexpressible);
  });
});

describe("a rejected name may be that of another group", () => {
  const taken = (words: string, status = 400): SeenPart => ({ status, body: { success: 0, error: words } });

  async function ask(name: string, seen: SeenPart, known: SeenPart | undefined) {
    const { service } = scriptedService(() => seen);
    if (known !== undefined) service.takenName = { name: "ugm-abcdef 1", response: responseWith(known) };
    forgotten = vi.spyOn(service, "forgetLast");
    return await askVariation(service, variation(name));
  }
  let forgotten: MockInstance<ServiceClient["forgetLast"]>;
  const open = "another group may have this name";

  it("if the words are the same as of a name that is taken, apart from the name, ids and numbers", async () => {
    const known = taken('"ugm-abcdef 1" is the name of ugm-abcdef-1 since 10:20');
    const again = taken('"   " is the name of ugm-fedcba-77 since 11:30');
    await expect(ask("name: blank", again, known)).rejects.toThrow(open);
    expect(await ask("name: blank", taken("the name is blank"), known)).toBe(false);
  });

  it("and then the response is not learned", async () => {
    await expect(ask("name: empty", taken("a"), taken("a"))).rejects.toThrow(open);
    // The response shows nothing about empty names.
    expect(forgotten).toHaveBeenCalledOnce();
  });

  it("but not if the response has another status or other fields", async () => {
    const known = taken("a", 409);
    expect(await ask("name: empty", taken("a", 422), known)).toBe(false);
    expect(await ask("name: empty", { status: 409, body: { success: 0 } }, known)).toBe(false);
  });

  it("but not if the service accepts a name twice, nor if another field is wrong", async () => {
    expect(await ask("name: empty", taken("a", 409), undefined)).toBe(false);
    expect(await ask("mapping: list", taken("a", 409), taken("a", 409))).toBe(false);
  });
});

const rejectedAs = (message: string, status = 200) => responseWith({ status, body: { success: 0, message } });

describe("a name that an earlier run has used", () => {
  const taken = (message: string, status = 200) => ({
    takenName: { name: "ugm-aaaaaa 2", response: rejectedAs(message, status) },
  });
  const inUse = taken('Name "ugm-aaaaaa 2" is in use by ugm-aaaaaa-1');

  it.each([
    ["as it was sent", inUse, rejectedAs('Name "true" is in use by ugm-bbbbbb-77')],
    ["in another form", inUse, rejectedAs('Name "True" is in use by ugm-bbbbbb-77')],
    ["as nothing", inUse, rejectedAs('Name "" is in use by ugm-bbbbbb-77')],
    ["not at all", taken("in use since 12:01"), rejectedAs("in use since 9:40")],
    ["with the id of the request", taken("in use (5f2c-a1)"), rejectedAs("in use (b00c-9d)")],
  ])("is noticed if the rejection shows it %s", (_, service, response) => {
    expect(isNameTaken(service, response)).toBe(true);
  });

  it.each([
    ["a mistake in the same words", inUse, rejectedAs('Name "true" is not a string')],
    ["a mistake about the end of it", inUse, rejectedAs('No name "true" is in use by ugm-bbbbbb-77')],
    ["a mistake in other words", taken("in use"), rejectedAs("in use by nobody")],
    ["a mistake with the same status", taken("in use", 409), rejectedAs("must be a string", 409)],
    ["another status", inUse, rejectedAs('Name "true" is in use by ugm-bbbbbb-77', 400)],
    ["a service that allows it", { takenName: undefined }, rejectedAs("in use")],
  ])("is not %s", (_, service, response) => {
    expect(isNameTaken(service, response)).toBe(false);
  });
});

describe("the fields that are required", () => {
  async function ask(required: readonly string[], base: JsonObject = { mapping: {}, properties: {} }) {
    const { service, sent } = scriptedService((body) =>
      required.every((field) => field in body) ? success({}) : rejected,
    );
    service.base = base;
    service.first = recorded({ body: { user_group_id: "first", name: "First", ...base } }, success({}));
    return { found: await askRequired(service), sent: sent.map(({ body }) => Object.keys(body)) };
  }

  it("are the id alone if a request with it alone is accepted", async () => {
    expect(await ask(["user_group_id"])).toEqual({ found: ["user_group_id"], sent: [["user_group_id"]] });
  });

  it("are found one by one otherwise", async () => {
    const { found, sent } = await ask(["name", "properties"]);
    expect(found).toEqual(["user_group_id", "name", "properties"]);
    expect(sent).toHaveLength(4);
  });

  it("are not those that no request has", async () => {
    const { found, sent } = await ask(["name"], {});
    expect(found).toEqual(["user_group_id", "name"]);
    expect(sent).toHaveLength(2);
  });
});
