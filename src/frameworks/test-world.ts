import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Mock, World } from "../index.js";
import { describeEntry } from "../mock/describe-entry.js";

/** In the folder that the tests run in. */
const reportFolder = "usergroup-mock-report";

/**
 * The world of a test, as a fresh one. The world of a test that failed is kept: in the report of a retry, the attempts
 * before it are the history.
 * @param id the same in every run, and of no other test
 * @param testTimeoutMs after which the test times out, from now on
 */
export async function beginWorld(server: Mock, name: string, id: string, testTimeoutMs = 0): Promise<World> {
  const world = server.world(worldNameOf(name, id), { testTimeoutMs });
  await world.reset({ label: name.slice(0, 1_000) || "a test without a name" });
  return world;
}

/** Readable, and the same in every run: the tokens of a world depend on its name. */
function worldNameOf(testName: string, testId: string): string {
  const words = testName.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 50);
  return `${words}-${createHash("sha256").update(testId).digest("hex").slice(0, 8)}`;
}

/** What is left of a failed test. */
export interface FailedTest {
  /** Its calls, and where its report is: to be shown under its error. */
  readonly text: string;
  /** The file of its report. Undefined when it could not be written; the text says why. */
  readonly report: string | undefined;
}

/** Saves the report of a failed test. */
export async function recordFailure(world: World): Promise<FailedTest> {
  const path = join(reportFolder, `${world.name}.html`);
  const problem = await world.saveReport(path).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const where = problem === undefined ? `report: ${path}` : `no report: ${problem}`;
  const lines = (await world.requests()).map((entry) => `  ${describeEntry(entry)}`);
  const calls = lines.length === 0 ? "  none" : lines.join("\n");
  return {
    text: `\n\nThe calls of this test (${where}):\n${calls}`,
    report: problem === undefined ? path : undefined,
  };
}

/** Adds text under the message of an error, wherever a framework may take the message from. */
export function addToError(error: { message?: string; stack?: string | undefined }, text: string): void {
  const { message = "", stack } = error;
  if (stack !== undefined) error.stack = withText(stack, message, text);
  error.message = stack === undefined ? withText(message, "", text) : `${message}${text}`;
}

/** @param message where the frames of the stack are looked for: after it */
function withText(stack: string, message: string, text: string): string {
  const start = Math.max(stack.indexOf(message), 0) + message.length;
  const frames = stack.slice(start).search(/\n+ +at /);
  const end = frames < 0 ? stack.length : start + frames;
  return `${stack.slice(0, end)}${text}${stack.slice(end)}`;
}
