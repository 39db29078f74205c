import { createHash } from "node:crypto";
import { test as base } from "vitest";
import { type Mock, type MockOptions, startMock, type World } from "./index.js";
import { describeEntry } from "./mock/describe-entry.js";

interface Fixtures {
  /** A world for this test only. Pass its `url` and `apiToken` to the program under test. */
  mock: World;
  /**
   * The options for the server of each worker.
   * @example const test = base.extend({ mockOptions: [{ fixtures: "test/groups.json" }, { scope: "worker" }] });
   */
  mockOptions: MockOptions;
  /** The server of this worker. All tests of the worker share it, each in its own world. */
  mockServer: Mock;
}

/**
 * vitest's `test` with a `mock` fixture: one server per worker and one world per test. If a test fails, its error
 * message shows the journal.
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
    const world = mockServer.world(worldNameOf(task.name, task.id));
    // A retry of a test finds the state of the previous attempt.
    await world.reset();
    await use(world);
    if (task.result?.state === "fail") await appendJournal(world, task.result.errors ?? []);
    await world.drop();
  },
});

/** Readable, and the same in every run: the tokens of a world depend on its name. */
function worldNameOf(testName: string, testId: string): string {
  const words = testName.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 50);
  return `${words}-${createHash("sha256").update(testId).digest("hex").slice(0, 8)}`;
}

async function appendJournal(world: World, errors: { message: string; stack?: string }[]): Promise<void> {
  const requests = await world.requests();
  const lines = requests.map((entry) => `  ${describeEntry(entry)}`);
  const journal = `\n\nThe calls of this test:\n${lines.length === 0 ? "  none" : lines.join("\n")}`;
  for (const error of errors.slice(0, 1)) error.message += journal;
}
