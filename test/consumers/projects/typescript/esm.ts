import assert from "node:assert/strict";
import {
  connectMock,
  type Fixture,
  type Health,
  type Mock,
  MockError,
  type MockOptions,
  startMock,
  type World,
} from "usergroup-mock";

const fixture: Fixture = {
  teams: [{ team_id: 9, api_tokens: ["nine"] }],
  user_groups: [{ team_id: 9, provided_id: "a", name: "A", mapping: { "40": "213" } }],
};
const options: MockOptions = {
  port: 0,
  host: "127.0.0.1",
  fixtures: [fixture],
  assume: { "old-token": "accepted", "created-status": "201" },
  bodyLimit: "1mb",
  seed: "typescript",
  log: "silent",
};

await using mock: Mock = await startMock(options);
const url: string = mock.url;
const world: World = await connectMock(url);
await world.reset();
const state: Fixture = await world.state();
assert.deepEqual(
  state.user_groups?.map((group) => group.provided_id),
  ["a"],
);
const health: Health = await world.health();
assert.equal(health.status, "ok");

const rejected: unknown = await world
  .load({ teams: [], user_groups: fixture.user_groups ?? [] })
  .catch((e) => e);
assert.ok(rejected instanceof MockError);
const [problem] = rejected.details;
assert.equal(problem?.path, "/user_groups/0/team_id");

await assert.rejects(
  // @ts-expect-error: not one of the values of that assumption
  startMock({ assume: { "old-token": "nonsense" } }),
  MockError,
);
await assert.rejects(
  // @ts-expect-error: there is no such option
  startMock({ prot: 4010 }),
  MockError,
);
