import { promises } from "node:fs";
import { join, relative } from "node:path";
import { inspect } from "node:util";
import { slugWithHash } from "../client/name-for.js";
import { listenersOf, type RejectionListener } from "../client/rejections.js";
import { lineIn, reportDirectory, reportedError } from "../client/reported-test.js";
import { counted } from "../foundation/grammar.js";
import { printable, shorten } from "../foundation/printable.js";
import type { World } from "../index.js";
import { awaited, describeNoRequest, getBodyError } from "../report/no-request.js";
import { openRun } from "../run/begin-run.js";
import {
  type AttemptResult,
  type RecordedTest,
  reportTest,
  type TestError,
  testName,
} from "../run/report-test.js";
import { repositoryOf } from "./project.js";
import type { TestOptions } from "./test-options.js";

/** A test, as its framework describes it. */
export interface TestInFramework extends Omit<RecordedTest, "id" | "world" | "label"> {
  /** The directory of its project. */
  readonly root: string;
  /** Separates it from tests of its file with the same titles. The same in every run and attempt. */
  readonly key: string | number;
  /** From 1: more if it is retried. */
  readonly attempt: number;
  /** Whether it has failed so far, before its hooks that clean up. */
  readonly hasFailed: () => boolean;
}

/** How many requests that the guard rejected are printed. */
const maxRejected = 20;

/** What is known of a mock that a set-up has started. All tests use its default world, one after the other. */
export interface SharedMock {
  /** What the set-up has set for the program, until a failed test prints it because no request reached the mock. */
  variables: Readonly<Record<string, string | undefined>> | undefined;
}

/** The world of one test. */
export class TestWorld {
  readonly world: World;
  /** Whether the test or its program has the URL: without it, nobody can send a request. */
  #isUsed: boolean;
  /** Whether what is printed for this test has been returned already. */
  #isExplained = false;
  /** What was thrown first: by the test, or by a subtest. */
  #error: TestError | undefined;
  readonly #test: TestInFramework;
  readonly #shared: SharedMock | undefined;
  readonly #id: string;
  readonly #label: string;
  /** The file of its report. It exists if the test has failed, and has sent requests. */
  readonly report: string;
  readonly #run = openRun(process.env);
  readonly #listeners: ReturnType<typeof listenersOf>;
  /** The requests of this test that the guard rejected: the first ones, and how many others there were. */
  readonly #rejected = new Set<string>();
  #moreRejected = 0;
  readonly #onRejected: RejectionListener = ({ method, path, code, message }) => {
    if (!path.startsWith(new URL(this.world.url).pathname)) return;
    const line = printable(`${method} ${shorten(path, 200)} → ${code}: ${message}`);
    if (this.#rejected.size < maxRejected || this.#rejected.has(line)) this.#rejected.add(line);
    else this.#moreRejected++;
  };

  /** @param shared set if all tests use the default world of the server. By default, each has its own world */
  constructor(server: World, test: TestInFramework, shared?: SharedMock) {
    const { root, file, titles, key, timeoutMs = 0 } = test;
    const repository = repositoryOf(root);
    const title = titles.at(-1) || "a test without a name";
    // The same in every run, wherever it was started: the tokens of a world depend on its name.
    this.#id = slugWithHash(title, `${relative(repository, file)} ${titles.join(" ")} ${key}`);
    const directory = reportDirectory(root);
    // Packages of a monorepo may have equal titles.
    const folder = relative(repository, root);
    this.#label = `${title}${folder && ` (${folder})`}`.slice(0, 1000);
    const options = { testTimeoutMs: timeoutMs, reportDirectory: directory };
    this.world = server.world(shared ? server.name : this.#id, options);
    this.#isUsed = shared !== undefined;
    this.#test = test;
    this.#shared = shared;
    this.#listeners = listenersOf(server);
    this.report = join(directory, `${this.#id}.html`);
  }

  /** Begins an attempt. The earlier attempts of a test are the history of its world, also in its report. */
  async begin(): Promise<this> {
    // The report of an earlier run or attempt. The test does not fail if it cannot be removed.
    await promises.rm(this.report, { force: true }).catch(() => {});
    await this.world.reset({ label: this.#label });
    this.#listeners?.add(this.#onRejected);
    this.record();
    return this;
  }

  /** The world, for the test. */
  use(): World {
    this.#isUsed = true;
    return this.world;
  }

  /** Checks a test that has not failed: a second error would hide the cause. */
  async check({ assertNoFailures, assertFaultsFired }: TestOptions): Promise<void> {
    if (this.#test.hasFailed()) return;
    if (assertNoFailures) await this.world.assertNoFailures();
    if (assertFaultsFired) await this.world.assertFaultsFired();
  }

  /** Reports to the run of `exec` or `explore`, if any, that an attempt begins, or how it ended. */
  record(result?: AttemptResult): void {
    if (this.#run === undefined) return;
    const { root, key, attempt, hasFailed, ...test } = this.#test;
    const { name: world, url } = this.world;
    const place = { id: this.#id, file: relative("", test.file), world, label: this.#shared && this.#label };
    const error = result === "failed" ? this.#error : undefined;
    reportTest(this.#run, { ...test, ...place, result, error }, url, hasFailed);
  }

  /** Ends an attempt. If it failed, returns what to print below its error; if not, its own world is removed. */
  async end(result: AttemptResult, thrown?: unknown): Promise<string> {
    this.#keepError(thrown);
    this.record(result);
    this.#listeners?.delete(this.#onRejected);
    if (result === "failed") return this.#isExplained ? "" : this.explain(thrown);
    if (this.#shared === undefined) await this.world.drop();
    return "";
  }

  /** Returns what to print below the error of a failed attempt, and saves its report, if that can be written. */
  async explain(thrown: unknown): Promise<string> {
    this.#isExplained = true;
    this.#keepError(thrown);
    const [first] = await this.world.requests({ limit: 1 });
    const text = first === undefined ? await this.#whyNothing(thrown) : await this.#listRequests(thrown);
    if (this.#rejected.size === 0) return text;
    const more = this.#moreRejected === 0 ? [] : [`… and ${counted(this.#moreRejected, "more request")}`];
    const lines = [...this.#rejected, ...more].join("\n  ");
    return `${text}\n\nThe mock rejected requests of this test:\n  ${lines}`;
  }

  /** Before anything is added to its message. */
  #keepError(thrown: unknown): void {
    const error = reportedError(thrown);
    this.#error ??= error && { ...error, line: lineIn(this.#test.file, thrown) };
  }

  async #listRequests(thrown: unknown): Promise<string> {
    const test = { ...this.#test, title: testName(this.#test), error: thrown };
    // Elsewhere the path is absolute: the tests of a package may have been started above it.
    const isAtTop = process.cwd() === repositoryOf(process.cwd());
    const where = await this.world.saveReport({ path: this.report, test }).then(
      (path) => `report: ${isAtTop ? relative("", path) : path}`,
      ({ message }: Error) => `no report: ${message}`,
    );
    const requests = (await this.world.describe()).replace(/^/gm, "  ");
    return `\n\nThe requests of this test (${where}):\n${requests}`;
  }

  /** Empty if the reason is known: a test that sent nothing has usually failed for reasons of its own. */
  async #whyNothing(thrown: unknown): Promise<string> {
    // With its causes: a program may have wrapped the error.
    const isGetBody = getBodyError.test(inspect(thrown));
    if (!this.#isUsed || (this.#rejected.size > 0 && !isGetBody)) return "";
    if (isGetBody || this.#shared === undefined) return `\n\n${describeNoRequest(this.world.url, isGetBody)}`;
    const { variables } = this.#shared;
    const isReached = (await this.world.history()).some(({ requests }) => requests > 0);
    if (isReached || variables === undefined) return "";
    this.#shared.variables = undefined;
    const pairs = Object.entries(variables).map((pair) => pair.join("="));
    const line = `No request has reached the mock so far. The set-up has set ${pairs.join(", ")}`;
    return `\n\n${line}: does your program read these variables, and ${awaited}`;
  }
}
