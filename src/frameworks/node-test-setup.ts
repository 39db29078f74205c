import { isMainThread } from "node:worker_threads";
import { followNodeTests } from "./node-test-hooks.js";
import { rootOf } from "./project.js";
import { setUp } from "./test-server.js";

// For `node --import usergroup-mock/node-test/setup --test`. Node passes --import on to the process of each test file;
// the process that only starts the others, and threads of the program, need no mock.
const { NODE_TEST_CONTEXT: inTestFile } = process.env;
const startsOthers =
  inTestFile === undefined &&
  process.execArgv.includes("--test") &&
  !process.execArgv.some((arg) => /^--(experimental-)?test-isolation=none$/.test(arg));
if (isMainThread && !startsOthers) followNodeTests(await setUp(rootOf(process.argv[1])));
