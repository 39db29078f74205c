import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { askRequired } from "../../../../src/lab/verify/ask/required-fields.js";
import { recorded, rejected, scriptedService, success } from "../seen-responses.js";

describe("the fields that are required", () => {
  async function ask(required: readonly string[], base: JsonObject = { mapping: {}, properties: {} }) {
    const { service, sent } = scriptedService((body) =>
      required.every((field) => field in body) ? success({}) : rejected,
    );
    service.base = base;
    service.creation = recorded({ body: { user_group_id: "first", name: "First", ...base } }, success({}));
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
