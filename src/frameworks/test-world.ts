import { relative } from "node:path";
import { slugWithHash } from "../client/name-for.js";
import type { World } from "../index.js";
import { Run } from "../run/run.js";
import { type AttemptResult, type RecordedTest, testName } from "../run/test-results.js";
import { activeInterceptor } from "./interceptor.js";
import { lineIn, reportedError } from "./reported-error.js";
import { TestReportFile } from "./test-report-file.js";

/** A test, as its framework describes it. */
export type TestInFramework = Omit<RecordedTest, "id" | "world">;

/** The world of one test. */
export class TestWorld {
  readonly world: World;
  readonly #label: string;
  readonly #isShared: boolean;
  readonly #recorded: RecordedTest;
  /** The absolute path of the test's file. */
  readonly #path: string;
  readonly #report: TestReportFile;
  readonly #run = Run.join(process.env);

  /**
   * @param id the same in every run, and of no other test
   * @param isShared whether all tests use the default world of the server. By default, each has its own world
   * @param leftMs how much of the timeout of the test is left
   */
  constructor(server: World, id: string, test: TestInFramework, isShared = false, leftMs = test.timeoutMs) {
    const name = test.titles.at(-1) ?? "";
    // The same in every run: the tokens of a world depend on its name.
    const own = slugWithHash(name, id);
    this.world = server.world(isShared ? server.name : own, { testTimeoutMs: leftMs ?? 0 });
    this.#label = name.slice(0, 1_000) || "a test without a name";
    this.#isShared = isShared;
    const { timeoutMs = 0, ...described } = test;
    this.#recorded = {
      ...described,
      id: own,
      file: relative(process.cwd(), test.file),
      world: this.world.name,
      // 0: the test has no timeout.
      ...(timeoutMs > 0 && { timeoutMs }),
    };
    this.#path = test.file;
    this.#report = new TestReportFile(own, test.framework === "Jest");
  }

  /** Begins an attempt. The earlier attempts of a test are the history of its world, also in its report. */
  async begin(): Promise<this> {
    await this.world.reset({ label: this.#label });
    this.record();
    return this;
  }

  /** Reports to the run of `exec` or `explore`, if any, that an attempt begins, or how it ended. */
  record(result?: AttemptResult): void {
    this.#run?.recordTest({ ...this.#recorded, ...(result && { result }) }, this.world.url);
  }

  /** Ends an attempt: explains it if it failed. */
  async end(result: AttemptResult, thrown: unknown, attempt: number) {
    this.record(result);
    return result === "failed" ? this.explain(thrown, attempt) : this.drop();
  }

  /** Removes the world, and the report of an earlier run. */
  async drop(): Promise<undefined> {
    await this.#report.remove();
    if (!this.#isShared) await this.world.drop();
  }

  /**
   * Saves the report of a failed attempt, if it can be written, and adds the requests to the error.
   * @param place has the place of the test in its stack, if what was thrown is not an error
   */
  async explain(thrown: unknown, attempt: number, place?: unknown) {
    const { framework, file } = this.#recorded;
    const reported = reportedError(thrown);
    const line = lineIn(this.#path, thrown);
    const title = testName(this.#recorded);
    const test = { framework, file, ...(line !== undefined && { line }), title, attempt };
    const { report, where } = await this.#report
      .save(this.world, { ...test, ...(reported && { error: reported }) })
      .then(
        (path) => ({ report: path, where: `report: ${path}` }),
        ({ message }: Error) => ({ report: undefined, where: `no report: ${message}` }),
      );
    const requests = await this.world.requests({ limit: 1 });
    const shown = requests.length === 0 ? nothingReached() : indent(await this.world.describe());
    const text = `\n\nThe requests of this test (${where}):\n${shown}`;
    return { report, error: addToError(thrown, text, place) };
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** The usual reason is a tool that intercepts requests and does not let unknown ones pass. */
function nothingReached(): string {
  const nothing = "  none of your requests reached the mock";
  const hints = {
    nock: 'nock is active. Allow requests to the mock: nock.enableNetConnect("127.0.0.1")',
    msw: "msw is active. Allow requests to the mock: setupServer(http.all(/^http:\\/\\/127\\.0\\.0\\.1:/, () => passthrough()))",
  };
  const interceptor = activeInterceptor();
  return interceptor === undefined ? nothing : `${nothing}. ${hints[interceptor]}`;
}

interface ErrorFields {
  message?: string;
  stack?: string | undefined;
}

/**
 * Adds text below the message of an error, wherever a framework may take the message from. If text was thrown, such as
 * a timeout in Jest and node:test, it becomes an error: frameworks would quote the text and escape its line ends.
 */
export function addToError(thrown: unknown, text: string, place?: unknown): ErrorFields {
  if (!isError(thrown)) {
    const frames = isError(place) ? /\n +at .*$/s.exec(place.stack ?? "")?.[0] : undefined;
    const message = `${thrown}${text}`;
    return Object.assign(new Error(message), { stack: `${message}${frames ?? ""}` });
  }
  const { message = "", stack } = thrown;
  if (stack !== undefined) thrown.stack = withText(stack, message, text);
  thrown.message = stack === undefined ? withText(message, "", text) : `${message}${text}`;
  return thrown;
}

/** Does not use `instanceof`: errors may be of another realm, or plain objects. */
function isError(value: unknown): value is ErrorFields {
  return typeof value === "object" && value !== null;
}

/** @param message where the frames of the stack are looked for: after it */
function withText(stack: string, message: string, text: string): string {
  const start = Math.max(stack.indexOf(message), 0) + message.length;
  const frames = stack.slice(start).search(/\n+ +at /);
  const end = frames < 0 ? stack.length : start + frames;
  return `${stack.slice(0, end)}${text}${stack.slice(end)}`;
}

/**
 * Throws if an entry does not support this version of its framework. An unknown version is supported.
 * @param names the supported versions, as messages and documents name them
 */
export function rejectOtherVersions(names: string, supported: RegExp, version = "unknown"): void {
  if (supported.test(version) || !/^\d/.test(version)) return;
  const advice = "Install one of these, or use startMock() in a hook.";
  throw new Error(`usergroup-mock works with ${names}, but this is ${version}. ${advice}`);
}
