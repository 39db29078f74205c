import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { getOrCreate, rotate } from "../../call.js";
import { rejectionOf } from "../world/rejection.js";
import { schemaFolder } from "./schema-folder.js";

const stricter = fileURLToPath(new URL("stricter-schemas", import.meta.url));

describe("the user's own schemas", () => {
  it("can be stricter than the shipped ones", async () => {
    await using mock = await startMock({ schemas: stricter });
    const lacking = await getOrCreate(mock.url, { user_group_id: "a", name: "" });
    expect(lacking.body.error.details).toEqual([
      { path: "/name", message: "must not be empty" },
      { path: "/properties", message: "is required" },
    ]);
    const wrong = await getOrCreate(mock.url, {
      user_group_id: "a",
      name: "A",
      properties: { region: "MARS" },
    });
    expect(wrong.body.error.details).toEqual([
      { path: "/properties/region", message: 'must be "EU" or "US"' },
    ]);
    const right = await getOrCreate(mock.url, {
      user_group_id: "a",
      name: "A",
      properties: { region: "EU" },
    });
    expect(right.status).toBe(200);
    expect((await rotate(mock.url, right.body.user_group.token)).status).toBe(200);
  });

  it("validate a coerced numeric id as text", async () => {
    const folder = schemaFolder({
      "get-or-create.request.json": { properties: { user_group_id: { const: "42" } } },
    });
    await using mock = await startMock({ schemas: folder, assume: { "numeric-ids": "coerced" } });
    expect((await getOrCreate(mock.url, { user_group_id: 42, name: "A" })).status).toBe(200);
    expect((await getOrCreate(mock.url, { user_group_id: 43, name: "A" })).status).toBe(400);
  });

  it("can be stricter for fixtures", async () => {
    const folder = schemaFolder({ "fixture.json": { properties: { user_groups: { maxItems: 4 } } } });
    await expect(startMock({ schemas: folder })).rejects.toThrowError(
      "the shipped fixtures/default.json /user_groups: must NOT have more than 4 items",
    );
  });

  it.each([
    [
      "an unknown file name",
      { "rotate.requst.json": {} },
      "is not the name of a schema; did you mean rotate.request.json?",
    ],
    ["a file that is not JSON", { "rotate.request.json": "{" }, / in JSON \(line 1, column 2\)$/],
    ["a number", { "rotate.request.json": 1 }, "must be a JSON object"],
  ])("are rejected with %s", async (_, files, message) => {
    const folder = schemaFolder(files);
    const { code, summary, details } = await rejectionOf(startMock({ schemas: folder }));
    expect([code, summary]).toEqual(["invalid_schema", "Invalid schemas. Fix them, or leave out --schemas:"]);
    const file = join(folder, Object.keys(files)[0] ?? "");
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    expect(details).toEqual([{ file, path: "", message: expected }]);
  });

  it("are rejected with one problem for each file that has a mistake", async () => {
    const folder = schemaFolder({
      "rotate.request.json": { type: 1 },
      "fixture.json": { minItems: -1 },
      "get-or-create.request.json": {},
    });
    const { details } = await rejectionOf(startMock({ schemas: folder }));
    expect(details.map(({ file }) => file).sort()).toEqual([
      join(folder, "fixture.json"),
      join(folder, "rotate.request.json"),
    ]);
  });

  it("are rejected if the folder is empty, does not exist or is a file", async () => {
    const folder = schemaFolder({});
    const explain = async (schemas: string) => (await rejectionOf(startMock({ schemas }))).message;
    const needed =
      "It must contain at least one of get-or-create.request.json, rotate.request.json, fixture.json.";
    expect(await explain(folder)).toBe(`--schemas ${folder} contains no .json files. ${needed}`);
    for (const path of [join(folder, "absent"), resolve("package.json")])
      expect(await explain(path)).toBe(`--schemas ${path} is not a folder. ${needed}`);
  });

  it.each<[schema: object, message: string]>([
    [{ required: "a" }, "data/required must be array"],
    [{ properties: { a: { minLenght: 3 } } }, 'unknown keyword: "minLenght"'],
    [{ properties: { a: { format: "uuidd" } } }, 'unknown format "uuidd"'],
    [{ properties: { a: { pattern: "(" } } }, "Invalid regular expression"],
  ])("are rejected with the file and the message of ajv: %j", async (schema, message) => {
    const folder = schemaFolder({ "rotate.request.json": schema });
    const { details } = await rejectionOf(startMock({ schemas: folder }));
    const file = join(folder, "rotate.request.json");
    expect(details).toEqual([{ file, path: "", message: expect.stringContaining(message) }]);
  });

  it("support formats", async () => {
    const properties = { user_group_id: { format: "uuid" }, name: { format: "email" } };
    await using mock = await startMock({
      schemas: schemaFolder({ "get-or-create.request.json": { properties }, "notes.txt": "not JSON" }),
    });
    const right = { user_group_id: "9b2f0a4e-55c7-4c1a-9a0e-2f4d0c1b7a11", name: "a@example.com" };
    expect((await getOrCreate(mock.url, right)).status).toBe(200);
    const { body } = await getOrCreate(mock.url, { user_group_id: "9b2f", name: "a" });
    expect(body.error.details).toEqual([
      { path: "/user_group_id", message: 'must match format "uuid"' },
      { path: "/name", message: 'must match format "email"' },
    ]);
  });

  it("can refer to each other", async () => {
    const folder = schemaFolder({
      "fixture.json": { $ref: "rotate.request.json" },
      "rotate.request.json": { type: "object" },
    });
    await using mock = await startMock({ schemas: folder });
    expect((await mock.health()).status).toBe("ok");
  });
});
