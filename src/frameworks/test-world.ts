import { createHash } from "node:crypto";
import { relative } from "node:path";
import { activeInterceptor } from "../foundation/interceptor.js";
import type { World } from "../index.js";
import { describeEntry } from "../mock/describe-entry.js";
import { addTestToReport, reportedError } from "../mock/test-report.js";
import { type RunPart, TestReportFile } from "../mock/test-report-file.js";
import { Run } from "../run/run.js";
import type { AttemptResult, RecordedTest } from "../run/test-results.js";

/** What is left of a failed test. */
export interface FailedTest {
  /** Its requests, and where its report is: to be shown below its error. */
  readonly text: string;
  /** The file of its report. Undefined when it could not be written; the text says why. */
  readonly report: string | undefined;
}

/** What a framework knows of a test that failed. */
export interface TestInFramework {
  readonly framework: string;
  /** With the names of its suites. */
  readonly title: string;
  readonly file: string;
  /** From 1. */
  readonly attempt: number;
  readonly error: unknown;
}

/** The world of one test. */
export class TestWorld {
  readonly world: World;
  readonly #isShared: boolean;
  /** The name of its own world, whether it has one or not. */
  readonly #own: string;
  readonly #label: string;
  readonly #report: TestReportFile;

  /**
   * @param server its world `default` is that of all tests, if it is shared; otherwise each test has its own
   * @param id the same in every run, and of no other test
   * @param testTimeoutMs after which the test times out, from now on; 0 if it is not known
   * @param part see `TestReportFile`
   */
  constructor(server: World, name: string, id: string, isShared = false, testTimeoutMs = 0, part?: RunPart) {
    // Readable, and the same in every run: the tokens of a world depend on its name.
    const words = name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 50);
    const own = `${words}-${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
    this.world = server.world(isShared ? server.name : own, { testTimeoutMs });
    this.#isShared = isShared;
    this.#own = own;
    this.#label = name.slice(0, 1_000) || "a test without a name";
    this.#report = new TestReportFile(own, part);
  }

  /** The world of a test that failed is kept: in the report of a retry, the attempts before it are the history. */
  async begin(): Promise<this> {
    await this.world.reset({ label: this.#label });
    return this;
  }

  /** Tells a run around this process that an attempt of the test begins. Returns what tells how it ended. */
  record(test: Omit<RecordedTest, "id" | "world">): (result: AttemptResult) => void {
    const run = Run.join(process.env);
    const { name: world, url } = this.world;
    const recorded = { ...test, id: this.#own, world, file: relative(process.cwd(), test.file) };
    run?.recordTest(recorded, url);
    return (result) => run?.recordTest({ ...recorded, result }, url);
  }

  /** After a test that passed. */
  async drop(): Promise<void> {
    await this.#report.remove();
    if (!this.#isShared) await this.world.drop();
  }

  /** Saves the report of a failed test. */
  async recordFailure(test: TestInFramework): Promise<FailedTest> {
    const { report, where } = await this.#report
      .save((path) => this.#save(path, test))
      .then(
        (path) => ({ report: path, where: `report: ${path}` }),
        (error: Error) => ({ report: undefined, where: `no report: ${error.message}` }),
      );
    const lines = (await this.world.requests()).map((entry) => `  ${describeEntry(entry)}`);
    return {
      text: `\n\nThe requests of this test (${where}):\n${lines.length === 0 ? nothingReached() : lines.join("\n")}`,
      report,
    };
  }

  async #save(report: string, { file, error, ...test }: TestInFramework): Promise<void> {
    await this.world.saveReport(report);
    const reported = reportedError(error);
    await addTestToReport(report, {
      ...test,
      file: relative(process.cwd(), file),
      ...(reported !== undefined && { error: reported }),
    });
  }
}

/** The usual reason is a tool that intercepts requests and does not let unknown ones pass. */
function nothingReached(): string {
  const nothing = "  none of your requests reached the mock";
  const hints = {
    nock: 'nock is loaded. Let it pass requests to the mock: nock.enableNetConnect("127.0.0.1")',
    msw: "msw is listening. Let it pass requests to the mock: setupServer(http.all(/^http:\\/\\/127\\.0\\.0\\.1:/, () => passthrough()))",
  };
  const interceptor = activeInterceptor();
  return interceptor === undefined ? nothing : `${nothing}. ${hints[interceptor]}`;
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

/**
 * Throws one line when an entry does not support this version of its framework. An unknown version is supported.
 * @param names the supported versions, as messages and documents name them
 */
export function refuseOtherVersions(names: string, supported: RegExp, version = "unknown"): void {
  if (supported.test(version) || !/^\d/.test(version)) return;
  const advice = "Install one of these, or use startMock() in a hook.";
  throw new Error(`usergroup-mock works with ${names}, and this is ${version}. ${advice}`);
}
