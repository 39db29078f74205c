import { beforeEach } from "vitest";
import { mockOfSetUp, setUp } from "./test-server.js";
import { followTask, vitestRoot } from "./vitest-task.js";

// For `setupFiles`, which vitest loads before each test file. With `isolate: false`, files share a mock as they share
// the modules of the program.
const server = mockOfSetUp() ?? (await setUp(vitestRoot()));

// vitest requires a destructuring pattern here.
beforeEach(async ({ task, onTestFinished }) => void (await followTask(server, { task, onTestFinished })));
