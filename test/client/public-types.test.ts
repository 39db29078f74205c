import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { assumptionIds, assumptions } from "../../src/contract/assumptions.js";
import { type FailureCode, failures } from "../../src/contract/failures.js";
import { type AssumptionChoice, type AssumptionId, MockError, type MockErrorCode } from "../../src/index.js";
import { refusalOf } from "../world/refusal.js";

describe("the types of the state", () => {
  it("have every field of a group as required", async () => {
    await using mock = await startMock();
    const { teams, user_groups } = await mock.state();
    const tokens: string[] = user_groups.map(({ token }) => token);
    const regions: unknown[] = user_groups.map(({ properties }) => properties.region);
    const apiTokens: string[] = teams.flatMap(({ api_tokens }) => api_tokens);
    expect(tokens.every((token) => /^[0-9a-f]{64}$/.test(token))).toBe(true);
    expect(regions).toHaveLength(tokens.length);
    expect(apiTokens).toContain(mock.apiToken);
    await mock.load({ teams, user_groups });
  });

  it("let a fixture leave out optional fields only", async () => {
    await using mock = await startMock();
    await mock.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    // @ts-expect-error: a group has a name
    const unnamed = mock.load({ user_groups: [{ team_id: 9, provided_id: "a" }] });
    expect((await refusalOf(unnamed)).code).toBe("invalid_fixture");
  });
});

describe("the code of a MockError", () => {
  it("is a union of known codes", () => {
    const error = new MockError("group_exists", "This group exists.");
    const code: MockErrorCode = error.code;
    expect(code).toBe("group_exists");
    // @ts-expect-error: a misspelt code
    expect(error.code === "group_exist").toBe(false);
    // @ts-expect-error: no such code
    new MockError("invalid_opion", "This option cannot be used.");
  });

  it("includes every failure code of the server", () => {
    const codes: MockErrorCode[] = Object.keys(failures) as FailureCode[];
    expect(codes).toContain("unauthorized");
  });
});

describe("the types of assumptions", () => {
  it("list every id and its values", async () => {
    const choice: AssumptionChoice = { "old-token": "accepted", "created-status": "201" };
    const id: AssumptionId = "failure-body";
    await using mock = await startMock({ assume: choice });
    await mock.assume({ [id]: "bare" });
    // @ts-expect-error: no such value
    expect((await refusalOf(mock.assume({ "old-token": "accept" }))).code).toBe("invalid_assumption");
    // @ts-expect-error: no such id
    expect((await refusalOf(mock.assume({ "new-token": "accepted" }))).code).toBe("invalid_assumption");
  });
});

const source = join(import.meta.dirname, "../../src");

/** Every export of the package with the file that declares it, as `index.ts` lists them. */
const exported = [
  ...[
    ...readFileSync(join(source, "index.ts"), "utf8").matchAll(
      /export (?:type )?\{([^}]+)\} from "(.+)\.js"/g,
    ),
  ].flatMap(([, names = "", file = ""]) =>
    names
      .split(",")
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, "")
            .split(" as ")[0] ?? "",
      )
      .filter((name) => name !== "")
      .map((name) => [name, `${file}.ts`] as const),
  ),
  ...(["test", "testWith"] as const).map((name) => [name, "frameworks/vitest.ts"] as const),
  ...(["test", "testWith", "MockTest"] as const).map((name) => [name, "frameworks/playwright.ts"] as const),
  ...(["MockFixtures", "TestOptions"] as const).map((name) => [name, "frameworks/test-options.ts"] as const),
  ["useMock", "frameworks/jest.ts"] as const,
  ["useMock", "frameworks/node-test.ts"] as const,
];

describe("the TSDoc", () => {
  it.each(exported)("has an example for %s of %s", (name, file) => {
    const text = readFileSync(join(source, file), "utf8");
    const kind = "(?:interface|type|class|(?:async )?function|const)";
    const declared = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export ${kind} ${name}\\b`).exec(text);
    expect(declared?.[1], `${name} has a comment`).toContain("@example");
  });

  it("has the question and the meaning of every value for each assumption", () => {
    const text = readFileSync(join(source, "generated/types.ts"), "utf8");
    for (const id of assumptionIds) {
      const [, comment = ""] = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*"${id}"`).exec(text) ?? [];
      expect(comment).toContain(assumptions[id].question);
      for (const meaning of Object.values(assumptions[id].values)) expect(comment).toContain(meaning);
    }
  });

  it("has an example for every member of a world", () => {
    const text = readFileSync(join(source, "client/world.ts"), "utf8");
    const [body = ""] = /export interface World \{.*?\n\}/s.exec(text) ?? [];
    const members = [...body.matchAll(/(\*\/)?\n {2}(?:readonly )?(\w+)(?:<[^>]+>)?(?:\(|:)/g)];
    expect(members.length).toBeGreaterThan(20);
    expect(body.match(/@example/g)).toHaveLength(members.length);
  });
});
