import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { getOrCreate } from "../call.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const withMapping = (wrong: number) => ({
  user_group_id: "a",
  name: "A",
  mapping: Object.fromEntries(Array.from({ length: wrong }, (_, n) => [`m${n}`, n])),
});

describe("the message of an invalid body", () => {
  const messageTo = async (body: unknown): Promise<string> =>
    (await getOrCreate(mock.url, body)).body.error.message;

  it("lists three problems", async () => {
    const message = await messageTo(withMapping(3));
    for (const field of ["/mapping/m0", "/mapping/m1", "/mapping/m2"]) expect(message).toContain(field);
    expect(message).not.toContain("more");
  });

  it("counts those that it does not list", async () => {
    const message = await messageTo(withMapping(5));
    expect(message).toContain("/mapping/m2 must be string; and 2 more. Correct it");
    expect(message).not.toContain("/mapping/m3");
  });

  it("speaks of the body as a whole as it", async () => {
    expect(await messageTo("[]")).toContain("asks for: it must be object. Correct it");
  });
});

describe("the details of an invalid body", () => {
  const detailsOf = async (url: string, body: unknown) => (await getOrCreate(url, body)).body.error.details;

  it.each(["[1]", "null", '"text"'])("name no unknown field of what has no fields: %s", async (body) => {
    await mock.assume({ "unknown-fields": "rejected" });
    expect(await detailsOf(mock.url, body)).toEqual([{ path: "", message: "must be object" }]);
  });

  it("keep the other problems of a body whose numeric id is borne", async () => {
    await mock.assume({ "numeric-ids": "coerced" });
    expect(await detailsOf(mock.url, { user_group_id: 1, name: 5 })).toEqual([
      { path: "/name", message: "must be string" },
    ]);
  });

  it("say once what the user's own schema says as well, and what only that one says", async () => {
    const schemas = mkdtempSync(join(tmpdir(), "usergroup-mock-check-body-"));
    try {
      const stricter = {
        required: ["properties"],
        properties: { user_group_id: { type: "string", minLength: 3 } },
      };
      writeFileSync(join(schemas, "get-or-create.request.json"), JSON.stringify(stricter));
      await using strict = await startMock({ schemas });
      expect(await detailsOf(strict.url, { user_group_id: "", name: "A" })).toEqual([
        { path: "/user_group_id", message: "must not be empty" },
        { path: "/properties", message: "is required" },
      ]);
    } finally {
      rmSync(schemas, { recursive: true });
    }
  });
});

describe("the assumptions that decided an answer", () => {
  it("are named once each, however often they were asked", async () => {
    const { headers } = await getOrCreate(mock.url, withMapping(4));
    const named = String(headers["usergroup-mock-assumed"]).split(", ");
    expect(named.filter((assumption) => assumption.startsWith("mapping-values="))).toHaveLength(1);
    expect(new Set(named).size).toBe(named.length);
  });

  it("are only such as there are", async () => {
    const { headers } = await getOrCreate(mock.url, { name: "A" });
    expect(headers["usergroup-mock-assumed"]).not.toContain("undefined");
  });
});

describe("an Authorization header", () => {
  it("that only ends well is refused", async () => {
    const headers = { Authorization: "x Token test-api-token" };
    expect((await getOrCreate(mock.url, { user_group_id: "a", name: "A" }, { headers })).status).toBe(401);
  });
});
