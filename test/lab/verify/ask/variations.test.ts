import { describe, expect, it, type MockInstance, vi } from "vitest";
import {
  askVariation,
  type Variation,
  variationName,
  variations,
} from "../../../../src/lab/verify/ask/variations.js";
import type { GroupClient } from "../../../../src/lab/verify/service/group-client.js";
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
    service.creation = recorded({ body: { user_group_id: "first", name: "First" } }, success({}));
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
    if (known !== undefined) service.takenName = { name: "ugm-abcdef 1", rejection: responseWith(known) };
    forgotten = vi.spyOn(service, "forgetLast");
    return await askVariation(service, variation(name));
  }
  let forgotten: MockInstance<GroupClient["forgetLast"]>;
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
