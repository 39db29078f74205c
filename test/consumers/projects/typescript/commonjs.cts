import assert = require("node:assert/strict");

import { connectMock, type Mock, MockError, startMock } from "usergroup-mock";

async function main(): Promise<void> {
  await using mock: Mock = await startMock({ assume: { "old-token": "accepted" } });
  const world = await connectMock(mock.url);
  await world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
  const { teams } = await mock.state();
  assert.equal(teams?.[0]?.team_id, 9);

  await assert.rejects(
    // @ts-expect-error: not one of the values of that assumption
    startMock({ assume: { "old-token": "nonsense" } }),
    (error) => error instanceof MockError && error.code === "invalid_option",
  );
}

void main();
