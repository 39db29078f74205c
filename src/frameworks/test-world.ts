import { promises } from "node:fs";
import { join, relative } from "node:path";
import { errorOfTest, lineIn, lineOfTitles, reportDirectory } from "../client/reported-test.js";
import { forTests, type TestInWorld } from "../client/world-for-tests.js";
import { dateNow, sleep } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { printable, shorten } from "../foundation/printable.js";
import type { World } from "../index.js";
import { awaited, isGetBodyError } from "../report/no-request.js";
import type { FailureMark, ReportedTest } from "../report/report-data.js";
import { openRun } from "../run/begin-run.js";
import { slugWithHash } from "../run/name-for.js";
import { type AttemptResult, type RecordedTest, reportTest } from "../run/report-test.js";
import { repositoryOf } from "./project.js";
import type { TestOptions } from "./test-options.js";

/** A test, as its framework describes it. */
export interface TestInFramework extends Omit<RecordedTest, "id" | "world"> {
  /** The directory of its project. */
  readonly root: string;
  /** Separates it from tests of its file with the same titles. The same in every run and attempt. */
  readonly key: string | number;
  /** From 1: more if it is retried. */
  readonly attempt: number;
  /** Whether it has failed so far, before its hooks that clean up. */
  readonly hasFailed: () => boolean;
  /** The line at which it begins, if the framework shows it. */
  readonly line?: number | undefined;
}

/** How many requests that the guard rejected are printed. */
const maxRejected = 20;

/** How long a line about such a request is, in characters. */
const maxRejectedLength = 390;

/** What failed in a test, if that is not the test itself. */
interface FailedPart {
  /** The titles of a subtest, with those of the test. */
  readonly titles?: readonly string[];
  /** An error with the place of the test in its stack, if what was thrown has none. */
  readonly place?: unknown;
}

/** So long after the failure, requests are still waited for: those that the test did not await are under way. */
const lateRequestsMs = 50;

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
  /** What failed first: the test, or a subtest. */
  #failure: ReportedTest | undefined;
  /** When a hook first saw that. */
  #mark: Promise<FailureMark | undefined> | undefined;
  readonly #test: TestInFramework;
  readonly #shared: SharedMock | undefined;
  readonly #id: string;
  readonly #label: string;
  /** The file of its report. It exists if the test has failed, and has sent requests. */
  readonly report: string;
  readonly #run = openRun(process.env);
  /** The requests of this test that the guard rejected: the first ones, and how many others there were. */
  readonly #rejected = new Set<string>();
  #moreRejected = 0;
  /** As its mock sees it. */
  readonly #inWorld: TestInWorld;

  /** @param shared set if all tests use the default world of the server. By default, each has its own world */
  constructor(server: World, test: TestInFramework, shared?: SharedMock) {
    const { root, file, titles, key, timeoutMs = 0, hasFailed } = test;
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
    this.#inWorld = {
      id: this.#id,
      hasFailed,
      onRequest: (id) => {
        // Hooks that clean up may send requests before a hook of ours sees the failure.
        if (hasFailed()) void this.markFailure(id);
      },
      onRejected: ({ method, path, code, message }) => {
        if (!path.startsWith(new URL(this.world.url).pathname)) return;
        const line = `${method} ${shorten(path, 200)} → ${code}: ${message}`;
        this.#addRejected(printable(shorten(line, maxRejectedLength)));
      },
    };
    this.report = join(directory, `${this.#id}.html`);
  }

  /** Begins an attempt. The earlier attempts of a test are the history of its world, also in its report. */
  async begin(): Promise<this> {
    // The report of an earlier run or attempt. The test does not fail if it cannot be removed.
    await promises.rm(this.report, { force: true }).catch(() => {});
    await this.world.reset({ label: this.#label });
    this.record();
    return this;
  }

  /** The world, for the test. */
  use(): World {
    this.#isUsed = true;
    return this.world;
  }

  /** Marks a failure, or checks a test that has not failed: a second error would hide the cause. */
  async check({ assertNoFailures, assertFaultsFired }: TestOptions): Promise<void> {
    if (this.#test.hasFailed()) {
      await this.markFailure();
      return;
    }
    if (assertNoFailures) await this.world.assertNoFailures();
    if (assertFaultsFired) await this.world.assertFaultsFired();
  }

  /**
   * Call it as soon as the failure is seen: what comes later is not the reason.
   * @param before the first request after the failure, if that is known
   */
  markFailure(before?: number): Promise<FailureMark | undefined> {
    // Without a mock, there are no requests either.
    this.#mark ??= forTests(this.world)
      .mark(before)
      .catch(() => undefined);
    return this.#mark;
  }

  /** Tells the mock, and the run of `exec` or `explore`, if any, that an attempt begins, or how it ended. */
  record(result?: AttemptResult): void {
    const world = forTests(this.world);
    if (result === undefined) world.begin(this.#inWorld);
    else world.end(this.#inWorld);
    if (this.#run === undefined) return;
    const { root, key, attempt, hasFailed, line, ...test } = this.#test;
    const { name, url } = this.world;
    const place = { id: this.#id, file: relative("", test.file), world: name, url };
    const failure = result === "failed" ? this.#failure : undefined;
    reportTest(this.#run, { ...test, ...place, result, failure });
  }

  /** Ends an attempt. If it failed, returns what to print below its error; if not, its own world is removed. */
  async end(result: AttemptResult, thrown?: unknown, part?: FailedPart): Promise<string> {
    const text = result === "failed" && !this.#isExplained ? await this.explain(thrown, part) : "";
    this.record(result);
    if (this.#shared === undefined && result !== "failed") await this.world.drop();
    return text;
  }

  /** Returns what to print below the error of a failed attempt, and saves its report, if that can be written. */
  async explain(thrown: unknown, part?: FailedPart): Promise<string> {
    this.#isExplained = true;
    const failure = await this.#keepFailure(thrown, part);
    const text = await this.#explainFailure(failure);
    if (this.#rejected.size === 0) return text;
    const more = this.#moreRejected === 0 ? [] : [`… and ${counted(this.#moreRejected, "more request")}`];
    const lines = [...this.#rejected, ...more].join("\n  ");
    return `${text}\n\nThe mock rejected requests of this test:\n  ${lines}`;
  }

  #addRejected(line: string): void {
    if (this.#rejected.size < maxRejected || this.#rejected.has(line)) this.#rejected.add(line);
    else this.#moreRejected++;
  }

  /** The first failure of the attempt, before anything is added to its message. */
  async #keepFailure(thrown: unknown, { titles, place }: FailedPart = {}): Promise<ReportedTest> {
    const mark = await this.markFailure();
    const { file, line, framework, attempt } = this.#test;
    const failed = titles ?? this.#test.titles;
    this.#failure ??= {
      title: failed.join(" > "),
      file: relative("", file),
      line: lineIn(file, thrown) ?? lineIn(file, place) ?? line ?? lineOfTitles(file, failed),
      framework,
      attempt,
      error: errorOfTest(thrown, file, failed),
      mark,
      ...(!this.#isUsed && { isUnused: true }),
    };
    return this.#failure;
  }

  async #explainFailure(failure: ReportedTest): Promise<string> {
    const failedAt = Date.parse(failure.mark?.at ?? "");
    if (this.#isUsed) await sleep(Math.max(0, failedAt + lateRequestsMs - dateNow()) || 0);
    const { verdict, text, requests, save } = await forTests(this.world).explain(failure);
    if (this.#isUsed) this.#failure = { ...failure, verdict };
    if (requests === "") return this.#whyNothing(failure, text);
    // Elsewhere the path is absolute: the tests of a package may have been started above it.
    const isAtTop = process.cwd() === repositoryOf(process.cwd());
    const where = await save(this.report).then(
      (path) => `report: ${isAtTop ? relative("", path) : path}`,
      ({ message }: Error) => `no report: ${message}`,
    );
    const first = text === "" ? "" : `\n\n${text}`;
    return `${first}\n\nThe requests of this test (${where}):\n${requests.replace(/^/gm, "  ")}`;
  }

  /** Empty if the reason is known: a test that sent nothing has usually failed for reasons of its own. */
  async #whyNothing({ error }: ReportedTest, text: string): Promise<string> {
    const isGetBody = isGetBodyError(error);
    if (!this.#isUsed || text === "" || (this.#rejected.size > 0 && !isGetBody)) return "";
    if (isGetBody || this.#shared === undefined) return `\n\n${text}`;
    const { variables } = this.#shared;
    const isReached = (await this.world.history()).some(({ requests }) => requests > 0);
    if (isReached || variables === undefined) return "";
    this.#shared.variables = undefined;
    const pairs = Object.entries(variables).map((pair) => pair.join("="));
    const line = `No request has reached the mock so far. The set-up has set ${pairs.join(", ")}`;
    return `\n\n${line}: does your program read these variables, and ${awaited}`;
  }
}
