import { it } from "usergroup-mock/vitest";
import { expect } from "vitest";

it("has the report in its meta data", ({ task }) => {
  const report: string | undefined = task.meta.usergroupMockReport;
  expect(report).toBeUndefined();
});

it("is the same as test", ({ mock }) => mock.assertNoFailures());
