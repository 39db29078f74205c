import { test, testWith } from "usergroup-mock/vitest";
import { expect } from "vitest";

test("mock is a world", async ({ mock, task }) => {
  const { user_groups } = await mock.state();
  const tokens: string[] = user_groups.map(({ token }) => token);
  expect(tokens.length).toBeGreaterThan(0);
  const report: string | undefined = task.meta.usergroupMockReport;
  expect(report).toBeUndefined();
  // @ts-expect-error: no such method
  mock.resett();
});

testWith({ assume: { "old-token": "accepted" } }).concurrent("with options", async ({ mock }) => {
  await mock.assertNoFailures();
});

// @ts-expect-error: no such option
testWith({ prot: 4010 });

// @ts-expect-error: no such value
testWith({ assume: { "old-token": "maybe" } });

testWith({ assertFaultsFired: true, assertNoFailures: false });

// @ts-expect-error: not a boolean
testWith({ assertFaultsFired: "yes" });
