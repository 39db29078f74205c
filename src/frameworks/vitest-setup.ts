import { beforeEach } from "vitest";
import { mockOfSetUp, setUp } from "./set-up.js";
import { followTask, vitestRoot } from "./vitest-task.js";

// For `setupFiles`, which vitest loads before each test file. With `isolate: false`, files share a mock as they share
// the modules of the program.
const server = mockOfSetUp() ?? (await setUp(vitestRoot()).catch(throwWithoutFrames));

/** vitest would print the lines of this bundle. */
function throwWithoutFrames({ message }: Error): never {
  throw Object.assign(new Error(message), { stack: message });
}

// vitest requires a destructuring pattern here.
beforeEach(async ({ task, onTestFinished }) => void (await followTask(server, { task, onTestFinished })));
