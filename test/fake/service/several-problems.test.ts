import { describe, expect, it } from "vitest";
import type { OutcomeOf } from "../../../src/fake/contract/situations.js";
import type { KnownSituations } from "../../../src/index.js";
import { startWithTwoTeams } from "./meet-situation.js";
import { send } from "./send-request.js";

/** A response in which each field has its problem, as many services send it. */
const problem = (status: number, code: string) => ({
  status,
  headers: { "X-Code": code },
  body: { code, errors: { "{field}": [code] }, all: [{ code, field: "{field}" }] },
});

const known: KnownSituations = {
  "user_group_id: missing": problem(421, "required"),
  "user_group_id: empty": problem(422, "empty"),
  "name: number": problem(423, "type"),
  "name: empty": problem(424, "blank"),
  "mapping: text": problem(425, "object"),
  "mapping value: number": problem(426, "value"),
  "GET: unknown field": problem(427, "unknown"),
};

async function respond(word: OutcomeOf<"several problems">, body: unknown) {
  const situations: KnownSituations = { "several problems": word, ...known };
  await using mock = await startWithTwoTeams({ profile: { situations } });
  const { status, headers, json } = await send(mock.url, { body });
  const [entry] = await mock.requests();
  expect(headers["x-code"]).toBe(json.code);
  expect(entry?.cause?.situation).toBe(headers["usergroup-mock-situation"]);
  return { status, situation: headers["usergroup-mock-situation"], json, known: entry?.known };
}

describe("a body with several problems", () => {
  it.each<[body: object, first: string, typesFirst: string]>([
    [{ user_group_id: "", name: 7 }, "user_group_id: empty", "name: number"],
    [{ name: 7, mapping: "text" }, "user_group_id: missing", "name: number"],
    [{ user_group_id: "a", name: "", mapping: "text" }, "name: empty", "mapping: text"],
    [{ user_group_id: "", name: "", mapping: { 1: 2 } }, "user_group_id: empty", "mapping value: number"],
    [{ user_group_id: "a", name: "", colour: "red" }, "name: empty", "GET: unknown field"],
    [{ user_group_id: "", name: "" }, "user_group_id: empty", "user_group_id: empty"],
    [{ mapping: "text", name: 7, user_group_id: "a" }, "name: number", "name: number"],
  ])(
    "gets the response of the first one, or of the first wrong type: %j",
    async (body, first, typesFirst) => {
      expect((await respond("first", body)).situation).toBe(first);
      expect((await respond("types first", body)).situation).toBe(typesFirst);
    },
  );

  it("gets the problems of all of them, and the rest of the first one", async () => {
    const all = await respond("all", { name: 7, mapping: "text" });
    expect(all).toMatchObject({ status: 421, situation: "user_group_id: missing" });
    expect(all.json).toEqual({
      code: "required",
      errors: { user_group_id: ["required"], name: ["type"], mapping: ["object"] },
      all: [
        { code: "required", field: "user_group_id" },
        { code: "type", field: "name" },
        { code: "object", field: "mapping" },
      ],
    });
  });

  it("gets the first wrong type alone, or else the problems of all, from a service with a typed decoder", async () => {
    const word = "types first then all";
    const typed = await respond(word, { user_group_id: "", name: 7, mapping: "text" });
    expect(typed).toMatchObject({ status: 423, json: { errors: { name: ["type"] } } });
    expect(Object.keys(typed.json.errors)).toEqual(["name"]);
    const ruled = await respond(word, { user_group_id: "", name: "" });
    expect(ruled).toMatchObject({
      status: 422,
      json: { errors: { user_group_id: ["empty"], name: ["blank"] } },
    });
  });

  it("gets a wrong id alone, or else the problems of all, from a service that looks for the group first", async () => {
    const word = "id first then all";
    const looked = await respond(word, { user_group_id: "", name: 7, mapping: "text" });
    expect(looked).toMatchObject({ status: 422, situation: "user_group_id: empty" });
    expect(looked.json.errors).toEqual({ user_group_id: ["empty"] });
    const ruled = await respond(word, { user_group_id: "a", name: 7, mapping: "text" });
    expect(ruled).toMatchObject({ status: 423, json: { errors: { name: ["type"], mapping: ["object"] } } });
  });

  it("gets those of one situation that it meets twice", async () => {
    const { json } = await respond("all", {
      user_group_id: "a",
      name: "A",
      mapping: { 40: 1, 41: 2, x: "y" },
    });
    expect(json.errors).toEqual({ 40: ["value"], 41: ["value"] });
  });

  it("has the situations in known that gave something of the response", async () => {
    const all = await respond("all", { user_group_id: "", name: 7 });
    expect(all.known).toEqual(
      expect.arrayContaining(["several problems", "user_group_id: empty", "name: number"]),
    );
  });

  it("gets the first response alone if the others are texts", async () => {
    const situations: KnownSituations = {
      "several problems": "all",
      "name: number": { text: "wrong name" },
      "user_group_id: empty": { body: { code: "empty" } },
    };
    await using mock = await startWithTwoTeams({ profile: { situations } });
    expect((await send(mock.url, { body: { user_group_id: "", name: 7 } })).json).toEqual({ code: "empty" });
    expect((await send(mock.url, { body: { user_group_id: "a", name: 7, mapping: 1 } })).text).toBe(
      "wrong name",
    );
  });
});

describe("a body with one problem", () => {
  it.each(["first", "types first", "all", "types first then all", "id first then all"] as const)(
    "does not depend on several problems: %s",
    async (word) => {
      const one = await respond(word, { user_group_id: "a", name: "" });
      expect(one).toMatchObject({ status: 424, situation: "name: empty" });
      expect(one.known).not.toContain("several problems");
    },
  );
});
