import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import choiceSchema from "../../schemas/admin/assumptions.request.json" with { type: "json" };
import assumptionsSchema from "../../schemas/admin/assumptions.response.json" with { type: "json" };
import configSchema from "../../schemas/config.json" with { type: "json" };
import fixtureSchema from "../../schemas/fixture.json" with { type: "json" };
import profileSchema from "../../schemas/profile.json" with { type: "json" };
import userGroupSchema from "../../schemas/user-group.json" with { type: "json" };
import { startMock } from "../../src/client/start-mock.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const fixture = (id: string) => ({
  teams: [{ team_id: 9, api_tokens: [`token-of-${id}`] }],
  user_groups: [{ team_id: 9, provided_id: id, name: id }],
});

describe("a path in a config file", () => {
  it.each([
    ["a string", "one.json"],
    ["a list with commas", "one.json,./two.json"],
    ["a list", ["one.json", { user_groups: [] }]],
  ])("is relative to the file, in %s", async (_, fixtures) => {
    write("relative/one.json", fixture("one"));
    write("relative/two.json", { user_groups: [{ team_id: 9, provided_id: "two", name: "Two" }] });
    write("relative/known.json", {
      situations: { "current_token: previous": "accepted", "current_token: older": "accepted" },
    });
    await using mock = await startMock({
      config: write("relative/mock.json", { fixtures, profile: "known.json" }),
    });
    expect(mock.apiToken).toBe("token-of-one");
    expect(await mock.assumptions()).toContainEqual(
      expect.objectContaining({ id: "old-token", value: "accepted", source: "profile" }),
    );
  });
});

describe("the schema of the config file", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  ajv.addVocabulary(["x-problem", "x-option", "x-well-formed", "x-stored-text", "tsType"]);
  ajv.addSchema([assumptionsSchema, choiceSchema, fixtureSchema, profileSchema, userGroupSchema]);
  const validate = ajv.compile(configSchema);

  it("can be used by editors", () => {
    const $schema = "./node_modules/usergroup-mock/schemas/config.json";
    const fixtures = [fixture("a"), "more"];
    const good = { $schema, port: 0, fixtures, assume: { "old-token": "accepted" }, bodyLimit: "1mb" };
    expect(validate(good), ajv.errorsText(validate.errors)).toBe(true);
    for (const wrong of [{ prot: 1 }, { port: 70_000 }, { assume: { "old-token": "accept" } }])
      expect(validate(wrong)).toBe(false);
  });
});
