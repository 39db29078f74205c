import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { call, getOrCreate } from "../call.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const withNumber = (number: string) => `{"user_group_id":"a","name":"A","properties":{"n":${number}}}`;

describe("a number that is too large for JavaScript", () => {
  it.each(["1e400", "-1e309", "1E+999", "9".repeat(400)])("is rejected: %s", async (number) => {
    const { status, body } = await getOrCreate(mock.url, withNumber(number));
    expect([status, body.error.code]).toEqual([400, "invalid_json"]);
    expect(body.error.message).toBe(
      `The number ${number.slice(0, 30)} is too large. Send it as a string, or send a smaller number.`,
    );
    expect((await mock.health()).groups).toBe(5);
  });

  it("is rejected as an id that would be coerced", async () => {
    await mock.assume({ "numeric-ids": "coerced" });
    const { status } = await getOrCreate(mock.url, '{"user_group_id":1e400,"name":"A"}');
    expect(status).toBe(400);
  });

  it("is rejected behind many that only lose digits", async () => {
    const { status, body } = await getOrCreate(
      mock.url,
      withNumber(`[${"9007199254740993,".repeat(20)}1e400]`),
    );
    expect([status, body.error.code]).toEqual([400, "invalid_json"]);
  });

  it("is rejected by the admin API", async () => {
    const state =
      '{"teams":[{"team_id":3,"api_tokens":["t"]}],"user_groups":[{"team_id":3,"provided_id":"a","name":"A","properties":{"n":1e400}}]}';
    expect((await call("PUT", `${mock.url}/__admin/state`, state)).status).toBe(400);
  });

  it("is accepted inside a string", async () => {
    const { status } = await getOrCreate(
      mock.url,
      '{"user_group_id":"1e400","name":"say \\"1e999\\" 12345678901234567890"}',
    );
    expect(status).toBe(200);
    expect((await mock.requests())[0]?.notes).toEqual([]);
  });
});

describe("a number with more digits than JavaScript keeps", () => {
  it.each([
    ["9007199254740993", "9007199254740992"],
    ["0.12345678901234567890", "0.12345678901234568"],
    ["12345678901234567890", "12345678901234567000"],
  ])("is noted: %s", async (number, read) => {
    expect((await getOrCreate(mock.url, withNumber(number))).status).toBe(200);
    expect((await mock.requests())[0]?.notes).toEqual([
      `the number ${number} may have lost digits; it was read as ${read}`,
    ]);
  });

  it("is noted with its first digits, at most three times", async () => {
    await getOrCreate(
      mock.url,
      withNumber(`[${"1".repeat(80)},${"2".repeat(80)},${"3".repeat(80)},4.${"4".repeat(80)}]`),
    );
    const shown = (await mock.requests())[0]?.notes.map((note) => /^the number (\d+) may/.exec(note)?.[1]);
    expect(shown).toEqual(["1".repeat(60), "2".repeat(60), "3".repeat(60)]);
  });

  it.each([
    "9007199254740992",
    "1234567890123456.0",
    "1e300",
    "0.1000000000000000000",
    "100000000000000000000",
  ])("is not noted when nothing was lost: %s", async (number) => {
    expect((await getOrCreate(mock.url, withNumber(number))).status).toBe(200);
    expect((await mock.requests())[0]?.notes).toEqual([]);
  });
});
