import { readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import type { AboutReport, ReportedTest } from "../../src/report/report-data.js";
import { shortenTokens } from "../../src/report/shorten-tokens.js";
import { findVerdict, verdictLines } from "../../src/report/verdict.js";
import { readPage } from "../report/read-report.js";
import { type FrameworkProject, plain } from "./frameworks.js";
import { start } from "./processes.js";

/** What is said of a failed test. */
export interface Said {
  /** Below the error, before the requests; empty if nothing. Milliseconds are `N ms`. */
  readonly terminal: string;
  /** Above the requests of the report. By default as in the terminal. Undefined: there is no report. */
  readonly page?: string | undefined;
  /** What the reader does next. */
  readonly next: string;
}

const nothingArrived = /^No request of this test reached the mock at \S+/;

/** All of them are true, and each says what to do, or leaves that to the error. */
export const failures: Readonly<Record<string, Said>> = {
  "sends a stale token": {
    terminal:
      "Likely cause: #3 sent a stale token ← #2 rotated it (assumed: old-token=rejected). Use the group's latest token.",
    next: "keeps the token that #2 returned",
  },
  "sends a stale token after a lost response": {
    terminal:
      "Likely cause: #3 sent a stale token ← #2 rotated it, its response was lost (fault 1) (assumed: old-token=rejected). Look the group up to get its new token. Fault 1 (rotate → response lost) fired 1 of 1.",
    next: "looks the group up before it tries again",
  },
  "misspells a field": {
    terminal:
      "#1 get-or-create acme: field propertys is not in the interface, ignored; did you mean properties?",
    next: "corrects the name of the field",
  },
  "uses another API token": {
    terminal:
      "Likely cause: #1 get-or-create acme was rejected with 401 ← The API token differs from an accepted one in upper and lower case (assumed: api-tokens=listed). Send Authorization: Token <api token>. This mock accepts test-api-token.",
    next: "corrects the token",
  },
  "fails for its own reason after an expected 404": {
    terminal:
      "Last rejected: #1 rotate was rejected with 404 ← The current_token belongs to no group of this team (may be intended)",
    next: "reads the error: the rejection was intended",
  },
  "fails for its own reason after two expected 503s": {
    terminal: "Fault 1 (any request → 503 ×2) fired 2 of 2.",
    next: "reads the error",
  },
  "gives up before the response": {
    terminal:
      "Likely cause: #2 was delayed by 20,000 ms (fault 1); the client closed the connection after N ms. Fault 1 (rotate → delayed by 20,000 ms) fired 1 of 1.",
    next: "shortens the delay, or tests the time limit",
  },
  "does not await a request": {
    terminal: "After the failure: #2 rotate acme arrived later: was it awaited?",
    next: "adds the await",
  },
  "arms a fault that does not fire": {
    terminal: "",
    page: 'Fault 1 (get-or-create Acme → 503) has not fired. #1 user_group_id was "acme", not "Acme".',
    next: "corrects the match, which the error in the terminal shows too",
  },
  "rotates one token twice at once": {
    terminal:
      "Likely cause: #1 and #2 rotated the same token at once; #1 won (assumed: old-token=rejected). Look the group up to get its new token. Fault 1 (hold rotate ×2) fired 2 of 2.",
    next: "lets the loser look the group up",
  },
  "times out in a hold": {
    terminal:
      "Likely cause: #2 waits in the hold of rotate (1 of 2 arrived); `release()` was not called. Fault 1 (hold rotate ×2) fired 1 of 2. No other request came after it was armed.",
    next: "sends the second rotation, or calls release()",
  },
  "uses another URL": {
    terminal:
      "No request of this test reached the mock at URL. Does your program use this URL, and was the request awaited? If nock or msw is active, let requests to the mock pass.",
    next: "compares the URLs",
  },
  "sends a GET with fetch": {
    terminal:
      "No request of this test reached the mock at URL: fetch cannot send a GET with a body, and get-or-create needs one. Use undici.request, axios, got or node:http instead.",
    next: "uses another client",
  },
  "sends a number": {
    terminal:
      "Likely cause: #1 get-or-create was rejected with 400 ← Invalid body for get-or-create: /user_group_id must be string (assumed: numeric-ids=rejected).",
    next: "sends a string",
  },
  "wraps the error of its client": {
    terminal:
      'Likely cause: #1 get-or-create "" was rejected with 400 ← Invalid body for get-or-create: /user_group_id must not be empty; /name must not be empty (assumed: empty-strings=rejected).',
    next: "sends an id",
  },
  "arms an invalid fault": {
    terminal: "",
    next: "reads the error",
  },
  "waits for a request that is not sent": {
    terminal: "Fault 1 (hold rotate ×2) fired 1 of 2. No other request came after it was armed.",
    next: "reads the error: only one request arrived",
  },
  "reads the token of a rejected request": {
    terminal:
      "Last rejected: #1 rotate was rejected with 404 ← The current_token belongs to no group of this team (may be intended)",
    next: "finds the rejection in the requests, and checks the status",
  },
  "cleans up after its failure": {
    terminal: "After the failure: #2 rotate arrived later: was it awaited?",
    next: "reads the error: the request that was rejected is that of the hook",
  },
  "requires that nothing was rejected": {
    terminal: "",
    page: "Likely cause: #1 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /name is required to create a group (assumed: name-on-create=required).",
    next: "sends the name, which the error in the terminal says too",
  },
  "fails among many requests": {
    terminal:
      "Likely cause: #83 sent a stale token ← #42 rotated it (assumed: old-token=rejected). Use the group's latest token.",
    next: "keeps the token that #42 returned, which the list shows beside #83",
  },
};

const project = createRequire(import.meta.url)("./projects/failures/failures.cjs");

/** The titles of the tests of the project. */
export const failingTests = Object.keys(project.failures);

/** What is said of the tests that every framework runs. */
export const someFailures = Object.fromEntries(
  Object.entries(failures).filter(([title]) => project.some.includes(title)),
);

const report = "all.html";

/** Runs a project once under `exec --report`. Returns what was said of each test: in the terminal, and in two reports. */
async function readAll({ cwd, node }: FrameworkProject, args: readonly string[]) {
  const folder = join(cwd, "usergroup-mock-report");
  // Of another framework.
  await rm(folder, { recursive: true, force: true });
  const bin = join(cwd, "node_modules/usergroup-mock/bin/usergroup-mock.cjs");
  const exec = [bin, "exec", "--log", "silent", "--report", report, "--", node, ...args];
  await using running = start(node, exec, { cwd, env: plain });
  expect(await running.ended(200_000), running.output()).toBe(1);
  const output = stripVTControlCharacters(running.output());
  const paragraphs = output.split(/\n\s*\n/).map((text) => text.replace(/^[ \t]+/gm, "").trim());
  const files = await readdir(folder);
  return {
    output,
    terminal: (title: string) => inTerminal(paragraphs, slugOf(title)),
    async saved(title: string) {
      const file = files.find((name) => name.replace(/-[0-9a-f]{16}\.html$/, "") === slugOf(title));
      if (file === undefined) return undefined;
      const html = await readFile(join(folder, file), "utf8");
      const test: ReportedTest = JSON.parse(/ id="test">(.*)<\/script>/.exec(html)?.[1] ?? "{}");
      return { test, text: onPage(html, test, "default") };
    },
    async collected(title: string) {
      const html = await readFile(join(cwd, report), "utf8");
      const { run } = JSON.parse(readPage(html).lines.split("\n").at(-1) ?? "").value as AboutReport;
      const test = run?.attempts.find((one) => one.title === title || one.title.endsWith(` > ${title}`));
      return test && { test, text: onPage(html, test, test.world) };
    },
  };
}

function slugOf(title: string): string {
  return title.replaceAll(/[^\w.]+/g, "-").slice(0, 47);
}

/** The paragraph before the requests, if it is ours, or the line about no request. */
function inTerminal(paragraphs: readonly string[], slug: string): string {
  const at = paragraphs.findIndex((text) => text.includes(`(report: usergroup-mock-report/${slug}-`));
  const ofUrl = paragraphs.find((text) => nothingArrived.test(text) && text.includes(`/worlds/${slug}-`));
  const before = at < 0 ? (ofUrl ?? "") : (paragraphs[at - 1] ?? "");
  const isOurs = /^(Likely cause|After the failure|Last rejected|#\d|No request|Fault \d)/.test(before);
  return isOurs ? withoutNumbers(before.split("\n").join(" ")) : "";
}

/** The verdict on the page of a report. @param world of the test, if it is not the only one */
function onPage(html: string, { verdict, error, mark }: ReportedTest, world: string): string {
  const { tests, ask } = readPage(html);
  const shown = tests.find(
    (test) => (tests.length === 1 || test.world === world) && test.epoch === mark?.epoch,
  );
  const entries = shown?.journal.requests ?? [];
  const { faults = [] } = ask(shown?.world ?? "", "listFaults") ?? {};
  const found = verdict ?? findVerdict({ error, mark, entries, faults, url: "URL" });
  return withoutNumbers(verdictLines(found).map(shortenTokens).join(" "));
}

function withoutNumbers(text: string): string {
  return (
    text
      .replace(/after \d+ ms/g, "after N ms")
      // Where a hook of the test runs before ours, the figure is not known.
      .replace(/arrived \d+ ms later/, "arrived later")
      .replace(/at http:\S+?(?=[:.] )/, "at URL")
      .replaceAll(/\b[0-9a-f]{6}…/g, "TOKEN")
  );
}

/**
 * Defines the tests of a project. Earlier hooks or tests prepare it. Returns what was said of its tests.
 * @param args of Node, to run the tests
 */
export function testFailures(
  projectOf: (context: TestContext) => FrameworkProject,
  args: readonly string[],
  table: Readonly<Record<string, Said>> = someFailures,
): (context: TestContext) => ReturnType<typeof readAll> {
  let reading: ReturnType<typeof readAll> | undefined;
  const read = (context: TestContext) => {
    reading ??= readAll(projectOf(context), args);
    return reading;
  };
  describe("says of a test that", () => {
    it.for(Object.entries(table))("%s", async ([title, { terminal, page = terminal, next }], context) => {
      const said = await read(context);
      expect(said.terminal(title), `the reader ${next}`).toBe(terminal);
      const [saved, collected] = [await said.saved(title), await said.collected(title)];
      expect(collected?.text).toBe(page);
      if (saved === undefined) return;
      expect(saved.text).toBe(page);
      expect(collected?.test).toMatchObject(saved.test);
      expect(saved.test.mark).toBeDefined();
      expect(saved.test.line).toBeGreaterThan(0);
    });
  });
  return read;
}
