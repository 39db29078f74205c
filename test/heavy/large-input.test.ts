import { describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { call, getOrCreate } from "../call.js";
import { ownMock } from "../fake/world/own-world.js";

const own = ownMock();

const team = { team_id: 3, api_tokens: ["test-api-token"] };

/**
 * Fails if the work takes too much processor time, which is that of the mock and of its client. Quadratic work takes
 * much more.
 */
async function soon<T>(work: () => Promise<T>, withinMs = 5_000): Promise<T> {
  const before = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(withinMs);
  return done;
}

describe("a large number of errors", () => {
  const put = (state: string) => soon(() => call("PUT", `${own.mock.url}/__admin/state`, state));

  it.each([
    ["invalid groups", `{"teams":[],"user_groups":[${"{},".repeat(100_000)}{}]}`],
    ["unknown fields", `{"teams":[],${Array.from({ length: 30_000 }, (_, n) => `"f${n}":0`).join(",")}}`],
  ])("in a state is reported quickly, up to 20: %s", async (_, state) => {
    const { status, body } = await put(state);
    expect([status, body.error.code]).toEqual([400, "invalid_fixture"]);
    expect(body.error.details).toHaveLength(21);
    expect(body.error.details.at(-1).message).toMatch(/^and \d+ more problems$/);
  });

  it("is not even counted for more than 250,000 invalid groups", async () => {
    const state = `{"teams":[],"user_groups":[${"{},".repeat(250_001)}{}]}`;
    const { status, body } = await soon(() => call("PUT", `${own.mock.url}/__admin/state`, state));
    const message = "An array or object of the body has more than 250000 values. Send fewer.";
    expect([status, body.error]).toEqual([400, { code: "invalid_json", message }]);
  });

  it("of duplicates is reported quickly, up to 20", async () => {
    const groups = Array.from({ length: 20_000 }, (_, n) => ({
      team_id: 3,
      provided_id: `${n}`,
      name: "n",
      token: `t${n}`,
    }));
    const { body } = await put(JSON.stringify({ teams: [team], user_groups: [...groups, ...groups] }));
    expect(body.error.details).toHaveLength(21);
    expect(body.error.details[19].message).toBe(
      "repeats the team and provided_id of the given fixture /user_groups/19",
    );
    const tokens = Array.from({ length: 20_000 }, (_, n) => `${n}`);
    const twice = await put(JSON.stringify({ teams: [{ team_id: 3, api_tokens: [...tokens, ...tokens] }] }));
    expect(twice.body.error.details[0]).toEqual({
      path: "/teams/0/api_tokens/20000",
      message: "repeats an API token of the given fixture /teams/0",
    });
  });

  it("in a request is reported quickly, up to 20", async () => {
    await using mockWithLargeBodies = await startMock({ bodyLimit: "20mb" });
    const mapping = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [n, 0]));
    const { status, body } = await soon(() =>
      getOrCreate(mockWithLargeBodies.url, { user_group_id: "a", name: "A", mapping }),
    );
    expect(status).toBe(400);
    expect(body.error.details).toHaveLength(21);
    expect(body.error.message.length).toBeLessThan(500);
  });

  it("of unknown fields is noted in part, and the request succeeds", async () => {
    await using mockWithLargeBodies = await startMock({ bodyLimit: "20mb" });
    const fields = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`f${n}`, 0]));
    const sent = { user_group_id: "a", name: "A", ...fields };
    expect((await soon(() => getOrCreate(mockWithLargeBodies.url, sent))).status).toBe(200);
    const [entry] = await mockWithLargeBodies.requests();
    expect(entry?.notes).toHaveLength(11);
    expect(entry?.notes.at(-1)).toBe("29990 more unknown fields ignored");
    await mockWithLargeBodies.assume({ "unknown-fields": "rejected" });
    const { body } = await soon(() => getOrCreate(mockWithLargeBodies.url, sent));
    expect(body.error.details).toHaveLength(21);
  });

  it.each([
    ["POST", "/faults", 900_000],
    ["PUT", "/state", 5_000_000],
  ])("a long unknown field is reported quickly: %s %s with %i characters", async (method, path, letters) => {
    const body = JSON.stringify({ ["k".repeat(letters)]: 1 });
    const response = await soon(() => call(method, `${own.mock.url}/__admin${path}`, body), 1_500);
    expect(response.status).toBe(400);
  });
});

it("paths with thousands of slashes are logged quickly", async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await using mock = await startMock({ log: "json" });
  const path = "/x".repeat(7_500);
  await soon(() => Promise.all(Array.from({ length: 20 }, () => call("GET", mock.url + path))), 1_500);
  expect(write).toHaveBeenCalledTimes(20);
  write.mockRestore();
});
