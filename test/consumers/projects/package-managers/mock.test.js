import { startMock } from "usergroup-mock";
import fixture from "usergroup-mock/fixtures/default.json" with { type: "json" };
import { test } from "usergroup-mock/vitest";
import { expect } from "vitest";

test("has a world, the inspector and the default fixture", async ({ mock }) => {
  expect((await mock.groups()).length).toBe(fixture.user_groups.length);
  expect((await fetch(`${mock.url}/__admin/`)).status).toBe(200);
  const other = await startMock();
  await other.stop();
});
