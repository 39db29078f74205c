import { tmpdir } from "node:os";
import { expect, it, vi } from "vitest";
import type { World } from "../../src/client/world.js";
import { test, testWith } from "../../src/frameworks/playwright.js";

type Fixture<Value> = (
  others: object,
  use: (value: Value) => Promise<void>,
  testInfo: object,
) => Promise<void>;

/** What Playwright receives from the entry. */
interface Fixtures {
  readonly mockServer: readonly [Fixture<object>, object];
  readonly mock: readonly [Fixture<World>, object];
}

vi.mock("@playwright/test", () => ({ test: { extend: (fixtures: Fixtures) => fixtures } }));

const testInfo = {
  ...{ file: "some.spec.ts", titlePath: ["some.spec.ts", "arms a fault"], testId: "1", retry: 0, timeout: 0 },
  ...{ config: { rootDir: tmpdir() }, errors: [], status: "passed", expectedStatus: "passed" },
};

/** What Playwright reports of a test that passes, but whose fault does not fire. */
async function errorAfterTest(entry: unknown): Promise<Error | undefined> {
  const { mockServer, mock } = entry as Fixtures;
  const errors: Error[] = [];
  const runTest = async (server: object) => {
    const armFault = async (world: World) => void (await world.fault({ status: 503 }));
    await mock[0]({ mockServer: server }, armFault, testInfo).catch((error: Error) => errors.push(error));
  };
  await mockServer[0]({}, runTest, testInfo);
  return errors[0];
}

it("Playwright's test with a mock checks nothing at the end of a test, unless it has options for that", async () => {
  expect(await errorAfterTest(test)).toBeUndefined();
  const checked = await errorAfterTest(testWith({ assertFaultsFired: true }));
  expect(checked?.message).toContain("1 of 1 fault did not fire");
});
