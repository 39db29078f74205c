import { createHash } from "node:crypto";
import { test as base } from "vitest";
import { type Mock, type MockOptions, startMock, type World } from "./index.js";
import { describeEntry } from "./mock/describe-entry.js";

interface Fixtures {
  /** A world of this test's own: its `url` and `apiToken` go into the program under test. */
  mock: World;
  /**
   * How the server of each worker is started.
   * @example const test = base.extend({ mockOptions: [{ fixtures: "test/groups.json" }, { scope: "worker" }] });
   */
  mockOptions: MockOptions;
  /** The server of this worker, which all of its tests share, each in its own world. */
  mockServer: Mock;
}

/**
 * vitest's `test` with a `mock` for every test: one server a worker, a world of its own for every test, and the
 * journal of a failed test under its error.
 *
 * @example
 * import { test } from "usergroup-mock/vitest";
 *
 * test("creates a group", async ({ mock }) => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export const test = base.extend<Fixtures>({
  mockOptions: [{}, { scope: "worker" }],
  mockServer: [
    async ({ mockOptions }, use) => {
      const server = await startMock(mockOptions);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  mock: async ({ mockServer, task }, use) => {
    const world = mockServer.world(worldName(task.name, task.id));
    // A test that is tried again meets what its last try left.
    await world.reset();
    await use(world);
    if (task.result?.state === "fail") await tellJournal(world, task.result.errors ?? []);
    await world.drop();
  },
});

/** Readable, and the same in every run, so that the tokens of the world are the same too. */
function worldName(testName: string, testId: string): string {
  const words = testName.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 50);
  return `${words}-${createHash("sha256").update(testId).digest("hex").slice(0, 8)}`;
}

async function tellJournal(world: World, errors: { message: string; stack?: string }[]): Promise<void> {
  const requests = await world.requests();
  const lines = requests.map((entry) => `  ${describeEntry(entry)}`);
  const journal = `\n\nThe calls of this test:\n${lines.length === 0 ? "  none" : lines.join("\n")}`;
  for (const error of errors.slice(0, 1)) error.message += journal;
}
