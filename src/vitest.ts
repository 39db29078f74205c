import { createHash } from "node:crypto";
import { join } from "node:path";
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
    await world.reset({ label: task.name.slice(0, 1_000) || "a test without a name" });
    await use(world);
    if (task.result?.state === "fail") {
      const path = join(reportFolder, `${world.name}.html`);
      await world.saveReport(path);
      task.meta.usergroupMockReport = path;
      await appendJournal(world, task.result.errors ?? [], path);
    }
    await world.drop();
  },
});

declare module "vitest" {
  interface TaskMeta {
    /** The report of the calls of a failed test. */
    usergroupMockReport?: string;
  }
}

/** In the folder that the tests run in. */
const reportFolder = "usergroup-mock-report";

/** Readable, and the same in every run: the tokens of a world depend on its name. */
function worldNameOf(testName: string, testId: string): string {
  const words = testName.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 50);
  return `${words}-${createHash("sha256").update(testId).digest("hex").slice(0, 8)}`;
}

async function appendJournal(world: World, errors: { message: string }[], report: string): Promise<void> {
  const requests = await world.requests();
  const lines = requests.map((entry) => `  ${describeEntry(entry)}`);
  const calls = lines.length === 0 ? "  none" : lines.join("\n");
  const journal = `\n\nThe calls of this test (report: ${report}):\n${calls}`;
  for (const error of errors.slice(0, 1)) error.message += journal;
}
