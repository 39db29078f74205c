import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";
import { startMock } from "../../src/index.js";
import { call, getOrCreate, rotate } from "../call.js";
import { refusalOf } from "../world/refusal.js";

const stricter = fileURLToPath(new URL("stricter-schemas", import.meta.url));

describe("the schemas", () => {
  it("describe what the fake answers", async () => {
    await using mock = await startMock();
    const ajv = new Ajv2020({ strict: true });
    ajv.addVocabulary(["x-problem"]);
    ajv.addSchema(Object.values(shippedSchemas));
    const created = await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    const answers = {
      "get-or-create.response.json": created.body,
      "rotate.response.json": (await rotate(mock.url, created.body.user_group.token)).body,
      "failure.response.json": (await getOrCreate(mock.url, { user_group_id: 1 })).body,
      "fixture.json": (await call("GET", `${mock.url}/__admin/state`)).body,
      "health.response.json": (await call("GET", `${mock.url}/__admin/health`)).body,
      "admin-failure.response.json": (await call("PUT", `${mock.url}/__admin/state`, { teams: 1 })).body,
    };
    for (const [name, answer] of Object.entries(answers)) {
      expect(ajv.validate(name, answer), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  });

  it("have examples that fit", () => {
    const ajv = new Ajv2020({ strict: true });
    ajv.addVocabulary(["x-problem"]);
    ajv.addSchema(Object.values(shippedSchemas));
    const examples = Object.entries(shippedSchemas).flatMap(([name, schema]) =>
      "examples" in schema ? schema.examples.map((example: unknown) => ({ name, example })) : [],
    );
    expect(examples.length).toBeGreaterThan(15);
    for (const { name, example } of examples) {
      expect(ajv.validate(name, example), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  });

  it("can be made stricter, file by file", async () => {
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

  it("see a number that was taken as an id as the text that it became", async () => {
    const folder = schemaFolder({
      "get-or-create.request.json": { properties: { user_group_id: { const: "42" } } },
    });
    await using mock = await startMock({ schemas: folder, assume: { "numeric-ids": "coerced" } });
    expect((await getOrCreate(mock.url, { user_group_id: 42, name: "A" })).status).toBe(200);
    expect((await getOrCreate(mock.url, { user_group_id: 43, name: "A" })).status).toBe(400);
    rmSync(folder, { recursive: true });
  });

  it("can be made stricter for fixtures", async () => {
    const folder = schemaFolder({ "fixture.json": { properties: { user_groups: { maxItems: 4 } } } });
    await expect(startMock({ schemas: folder })).rejects.toThrowError(
      "the shipped fixtures/default.json /user_groups: must NOT have more than 4 items",
    );
    rmSync(folder, { recursive: true });
  });

  it.each([
    [
      "a name that nothing is checked against",
      { "rotate.requst.json": {} },
      "did you mean rotate.request.json?",
    ],
    [
      "a schema that is none",
      { "rotate.request.json": { type: "strange" } },
      'rotate.request.json /type: must be "array" or',
    ],
    ["what is no JSON", { "rotate.request.json": "{" }, "rotate.request.json: "],
    ["what is no object", { "rotate.request.json": 1 }, "a schema is a JSON object"],
    [
      "a reference to nowhere",
      { "rotate.request.json": { $ref: "nowhere.json" } },
      "rotate.request.json /$ref: leads nowhere: nowhere.json",
    ],
    [
      "what a call would have to wait for",
      { "rotate.request.json": { $async: true } },
      "/$async: must be left out",
    ],
    ["nothing in the folder", {}, "holds no .json file"],
    ["null", { "rotate.request.json": "null" }, "a schema is a JSON object"],
  ])("are refused with %s", async (_, files, message) => {
    const folder = schemaFolder(files);
    await expect(startMock({ schemas: folder })).rejects.toThrowError(message);
    await expect(startMock({ schemas: folder })).rejects.toMatchObject({
      code: "invalid_schema",
      summary: expect.stringMatching(/^(These schemas cannot be used|--schemas .*rotate\.request\.json, )/),
    });
    rmSync(folder, { recursive: true });
  });

  it("are not looked for in files of other kinds", async () => {
    const folder = schemaFolder({ "rotate.request.json": {}, "notes.txt": "no JSON" });
    await using mock = await startMock({ schemas: folder });
    expect((await mock.health()).status).toBe("ok");
    rmSync(folder, { recursive: true });
  });

  it.each([
    ["several mistakes", { "rotate.request.json": { type: 1 }, "fixture.json": { type: 2 } }, "/type"],
    ["a name that nobody asks for", { "rotat.request.json": {} }, ""],
  ])("are refused with %s, each once by its file", async (_, files, path) => {
    const folder = schemaFolder(files);
    const { details } = await refusalOf(startMock({ schemas: folder }));
    expect(details.map(({ file, path }) => [file, path]).sort()).toEqual(
      Object.keys(files)
        .map((name) => [join(folder, name), path])
        .sort(),
    );
    rmSync(folder, { recursive: true });
  });

  it.each([
    [{ type: "objekt" }, "/type", /^must be "array" or .* or "string"; did you mean object\?$/],
    [{ properties: { a: { type: "strin" } } }, "/properties/a/type", /; did you mean string\?$/],
    [{ required: "a" }, "/required", "must be array"],
    [{ properties: { a: { minLength: "3" } } }, "/properties/a/minLength", "must be integer"],
    [
      { properties: { a: { minLenght: 3 } } },
      "/properties/a/minLenght",
      "is not a keyword of JSON Schema; did you mean minLength?",
    ],
    [
      { properties: { a: { format: "uuidd" } } },
      "/properties/a/format",
      '"uuidd" is not a format; did you mean uuid?',
    ],
    [
      { properties: { "a/b": { $ref: "#/definitions/x" } } },
      "/properties/a~1b/$ref",
      /^leads nowhere: #\/definitions\/x\. Refer to /,
    ],
    [{ properties: { a: { pattern: "(" } } }, "/properties/a/pattern", /^Invalid regular expression/],
    [
      { $schema: "http://json-schema.org/draft-04/schema#" },
      "/$schema",
      "is not supported; use https://json-schema.org/draft/2020-12/schema or http://json-schema.org/draft-07/schema",
    ],
  ])("name file, place and fix of a mistake: %j", async (schema, path, message) => {
    const folder = schemaFolder({ "rotate.request.json": schema });
    const { details } = await refusalOf(startMock({ schemas: folder }));
    const file = join(folder, "rotate.request.json");
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    expect(details).toEqual([{ file, path, message: expected }]);
    rmSync(folder, { recursive: true });
  });

  it.each([
    ["uuid", "9b2f0a4e-55c7-4c1a-9a0e-2f4d0c1b7a11", "9b2f"],
    ["date-time", "2026-01-01T00:00:00Z", "yesterday"],
    ["email", "a@example.com", "a"],
    ["uri", "https://example.com/a", "example"],
    ["ipv4", "127.0.0.1", "localhost"],
  ])("know the format %s", async (format, right, wrong) => {
    const folder = schemaFolder({ "get-or-create.request.json": { properties: { name: { format } } } });
    await using mock = await startMock({ schemas: folder });
    expect((await getOrCreate(mock.url, { user_group_id: "a", name: right })).status).toBe(200);
    const { body } = await getOrCreate(mock.url, { user_group_id: "b", name: wrong });
    expect(body.error.details).toEqual([{ path: "/name", message: `must match format "${format}"` }]);
    rmSync(folder, { recursive: true });
  });

  it.each(["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema"])(
    "can be of draft-07: %s",
    async ($schema) => {
      // In 2020-12, a list of items is written with prefixItems, and a reference may have neighbours.
      const pair = {
        type: "array",
        items: [{ type: "string" }, { type: "integer" }],
        additionalItems: false,
      };
      const folder = schemaFolder({
        "get-or-create.request.json": {
          $schema,
          definitions: { pair },
          properties: {
            user_group_id: { $ref: "user-group.json#/properties/provided_id" },
            properties: { properties: { pair: { $ref: "#/definitions/pair" } } },
          },
        },
      });
      await using mock = await startMock({ schemas: folder });
      const send = (value: unknown) =>
        getOrCreate(mock.url, { user_group_id: "a", name: "A", properties: { pair: value } });
      expect((await send(["a", 1])).status).toBe(200);
      expect((await send(["a", "b"])).body.error.details).toEqual([
        { path: "/properties/pair/1", message: "must be integer" },
      ]);
      rmSync(folder, { recursive: true });
    },
  );

  it.each([
    ["a field that it lacks", { required: ["a/b~c"] }, "/a~1b~0c", "is required"],
    [
      "a field that it may not have",
      { properties: { user_group_id: {}, nama: {} }, additionalProperties: false },
      "/name",
      "is not a known field; did you mean nama?",
    ],
    [
      "any field that it may not have",
      { additionalProperties: false },
      "/user_group_id",
      "is not a known field",
    ],
    [
      "a text that is too short",
      { properties: { name: { minLength: 3 } } },
      "/name",
      "must NOT have fewer than 3 characters",
    ],
    [
      "a text of another form",
      { properties: { name: { pattern: "^g" } } },
      "/name",
      'must match pattern "^g"',
    ],
  ])("say where it is and what to do about %s", async (_, schema, path, message) => {
    const folder = schemaFolder({ "get-or-create.request.json": schema });
    await using mock = await startMock({ schemas: folder });
    const { body } = await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    expect(body.error.details[0]).toEqual({ path, message });
    rmSync(folder, { recursive: true });
  });

  it("say everything that is wrong, and say x-problem in their own words", async () => {
    const own = { type: "string", pattern: "^g-", "x-problem": "must begin with g-" };
    const folder = schemaFolder({
      "get-or-create.request.json": { properties: { user_group_id: own, name: { maxLength: 1 } } },
    });
    await using mock = await startMock({ schemas: folder });
    const { body } = await getOrCreate(mock.url, { user_group_id: "a", name: "long" });
    expect(body.error.details).toEqual([
      { path: "/user_group_id", message: "must begin with g-" },
      { path: "/name", message: "must NOT have more than 1 characters" },
    ]);
    rmSync(folder, { recursive: true });
  });

  it("are refused when they are no folder", async () => {
    await expect(startMock({ schemas: "package.json" })).rejects.toMatchObject({
      code: "invalid_schema",
      summary: "--schemas needs a folder, and package.json is not one.",
    });
  });
});

function schemaFolder(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), "schemas-"));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}
