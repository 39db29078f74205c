import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type KnownSituations, MockError, startMock } from "../../../src/index.js";
import { startWithTwoTeams } from "./meet-situation.js";
import { send } from "./send-request.js";

/** A machine that does nothing else needs some milliseconds. */
const soon = 30_000;

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));

const nested = (depth: number) => `${"[".repeat(depth)}"{name}"${"]".repeat(depth)}`;
const manyNames = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`name: nul ${n}`, "x"])));

describe("a profile that nobody would write", () => {
  it.each<[what: string, situations: string]>([
    ["a body that is nested 100,000 levels deep", `{ "name: number": { "body": ${nested(100_000)} } }`],
    ["1 MB of characters", `{ "name: characters": { "characters": "${"a ".repeat(500_000)}" } }`],
    ["10,000 situations that are none", manyNames(10_000)],
    ["a word of 1 MB", `{ "name: null": "${"x".repeat(1_000_000)}" }`],
  ])(
    "stops the start soon, with a message that can be read: %s",
    { timeout: soon },
    async (_, situations) => {
      const profile = join(folder, "hostile.json");
      writeFileSync(profile, `{ "situations": ${situations} }`);
      const error: unknown = await startMock({ profile }).then(
        (mock) => mock.stop(),
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(MockError);
      expect((error as MockError).code).toBe("invalid_profile");
      expect((error as MockError).message.length).toBeLessThan(100_000);
    },
  );

  const body = { user_group_id: "new", name: 7, properties: { text: "x".repeat(60_000) } };
  const wrongMapping = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n, n]));

  it.each<[what: string, situations: KnownSituations, length: number]>([
    ["10,000 placeholders", { "name: number": { body: Array(10_000).fill("{name}") } }, 20_001],
    ["10,000 placeholders in a text", { "name: number": { text: "{name}".repeat(10_000) } }, 10_000],
    [
      "10,000 names of fields",
      {
        "name: number": {
          body: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`{name}${n}`, n])),
        },
      },
      127_781,
    ],
  ])("is served soon: %s", { timeout: soon }, async (_, situations, length) => {
    await using mock = await startWithTwoTeams({ profile: { situations } });
    expect((await send(mock.url, { body })).text).toHaveLength(length);
  });

  it.each<[what: string, situations: KnownSituations]>([
    ["the body of the request 10,000 times", { "name: number": { body: Array(10_000).fill("{body}") } }],
    ["it 10,000 times in a header", { "name: number": { headers: { "X-A": "{body}".repeat(10_000) } } }],
    [
      "it 10 times for each of 101 problems",
      {
        "several problems": "all",
        "name: number": { body: Array(10).fill("{body}") },
        "mapping value: number": { body: Array(10).fill("{body}") },
      },
    ],
  ])("gets a response of the mock soon: %s", { timeout: soon }, async (_, situations) => {
    await using mock = await startWithTwoTeams({ profile: { situations } });
    const { status, json } = await send(mock.url, { body: { ...body, mapping: wrongMapping } });
    expect([status, json.error?.code]).toEqual([400, "invalid_body"]);
    expect((await mock.requests())[0]?.notes).toContainEqual(
      expect.stringContaining("more than 1000000 characters"),
    );
  });
});
