import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { runHere } from "../../cli/run-here.js";
import { command } from "../../cli/small-programs.js";
import { useInspector, violations } from "../use-inspector.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-first-screen-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines of the band above the requests. */
async function linesIn(page: Page): Promise<string[]> {
  const verdict = page.getByRole("region", { name: "Verdict" });
  await verdict.waitFor();
  return (await verdict.locator("p, pre").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
}

describe("the first screen of a report", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;
  const place = "✗ groups.test.js:11 vitest";

  function failed(message: string, code?: string) {
    const stack = `at ${resolve("groups.test.js")}:11:3`;
    const error = { message, stack, ...(code && { name: "MockError", code }) };
    return { title: "a test", file: "groups.test.js", framework: "vitest", error };
  }

  const addGroup = () => create(url(), "acme");

  it("shows where a test failed, what was rejected before, and then its error", async () => {
    await rotate(url(), "unknown");
    await addGroup();
    const page = await inspector.openReport(inspector.mock, failed("expected 'acme' to be 'Acme'"));
    expect(await linesIn(page)).toEqual([
      place,
      expect.stringMatching(/^Last rejected: #1 rotate/),
      "expected 'acme' to be 'Acme'",
    ]);
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    expect(await page.getByText(/\bcause\b/i).count()).toBe(0);
  });

  it("shows the error with its difference alone if nothing was rejected, and opens the last request", async () => {
    await addGroup();
    const test = failed("expected 1 to be 2");
    const error = { ...test.error, diff: "- Expected\n+ Received\n\n- 2\n+ 1" };
    const page = await inspector.openReport(inspector.mock, { ...test, error });
    expect(await linesIn(page)).toEqual([place, "expected 1 to be 2 - Expected + Received - 2 + 1"]);
    await page.getByRole("article", { name: "Request 1" }).waitFor();
  });

  it.each([
    ["signs", "- Expected\n+ Received\n\n- 2\n+ 1", ["- Expected", "- 2"], ["+ Received", "+ 1"]],
    ["names", "Expected: 2\nReceived: 1", ["Expected: 2"], ["Received: 1"]],
    ["blocks", "- Expected:\ntwo\n\n+ Received:\none", ["- Expected:", "two", ""], ["+ Received:", "one"]],
  ])("colours what a difference with %s expected and received", async (_, diff, expected, received) => {
    await addGroup();
    const test = failed("not equal");
    const page = await inspector.openReport(inspector.mock, { ...test, error: { ...test.error, diff } });
    const error = page.getByRole("region", { name: "Error" });
    const texts = async (side: string) =>
      (await error.locator(`.${side}`).allInnerTexts()).map((text) => text.trim());
    expect([await texts("expected"), await texts("received")]).toEqual([expected, received]);
  });

  it("cuts an error of more than twelve lines, and shows all of it on request", async () => {
    await addGroup();
    const lines = Array.from({ length: 13 }, (_, i) => `line ${i + 1}`);
    const page = await inspector.openReport(inspector.mock, failed(lines.slice(0, 12).join("\n")));
    const error = page.getByRole("region", { name: "Error" });
    await error.getByText("line 12").waitFor();
    expect(await error.getByRole("button").count()).toBe(0);
    const long = await inspector.openReport(inspector.mock, failed(lines.join("\n")));
    const shown = long.getByRole("region", { name: "Error" });
    await shown.getByText("line 12").waitFor();
    expect(await shown.getByText("line 13").count()).toBe(0);
    await shown.getByRole("button", { name: "show all 13 lines" }).click();
    await shown.getByText("line 13").waitFor();
    expect(await shown.getByRole("button").count()).toBe(0);
  });

  it("names the fault that assertFaultsFired missed, with near misses since it was armed", async () => {
    const { mock } = inspector;
    await addGroup();
    await mock.fault({ operation: "get-or-create", match: { user_group_id: "Acme" }, status: 503 });
    await addGroup();
    const page = await inspector.openReport(mock, failed("1 of 1 fault did not fire", "fault_never_fired"));
    // The error is not repeated.
    expect(await linesIn(page)).toEqual([
      place,
      'Fault 1 (get-or-create Acme → 503) has not fired. #2 user_group_id was "acme", not "Acme".',
    ]);
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    await page.getByRole("tab", { name: /^Faults/ }).click();
    const misses = page.getByRole("list", { name: "Near misses of fault 1" }).getByRole("listitem");
    expect(await misses.allInnerTexts()).toEqual(['#2 came close: user_group_id was "acme", not "Acme"']);
  });

  it("of a run begins with how it ended and the failed tests with their sentences, then the others", async () => {
    const file = join(folder, "framework.html");
    const test = join(folder, "a.test.mjs");
    const entry = pathToFileURL(resolve("dist/esm/frameworks/node-test.js")).href;
    writeFileSync(
      test,
      `import { test } from "node:test";
      import { useMock } from "${entry}";
      const mock = useMock();
      test("asks for a group", async () => {
        await fetch(mock.url + "/api/user", { method: "POST", body: "{" });
        throw new Error('HTTP 401 {"code":"unauthorized"}');
      });
      test("does not wait", async () => {
        void fetch(mock.url + "/api/user", { method: "POST", body: "{" });
        throw new Error("too early");
      });
      test("sends nothing", () => { throw new Error("no such function"); });
      test("passes", async () => { await fetch(mock.url + "/api/user", { method: "POST", body: "{" }); });`,
    );
    const exec = ["exec", "--report", file, "--", process.execPath, "--test", test];
    await runHere(exec, { cwd: folder });
    const page = await inspector.openFile(file);
    await page.getByText(/^✗ 3 of 4 tests failed · .*--test .*a\.test\.mjs$/).waitFor();
    const rows = page.getByRole("region", { name: "Tests" }).getByRole("link");
    expect((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
      "✗ sends nothing no such function 0 requests",
      expect.stringMatching(
        /^✗ does not wait After the failure: #1 rotate arrived .* 1 request · 1 rejected/,
      ),
      expect.stringMatching(
        /^✗ asks for a group Likely cause: #1 rotate was rejected with 401 .* 1 rejected/,
      ),
      expect.stringMatching(/^passes 1 request · 1 rejected/),
    ]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page), colorScheme).toEqual([]);
    }
    await page.getByRole("link", { name: "Failed asks for a group" }).click();
    await page.getByRole("heading", { name: "asks for a group" }).waitFor();
    const [where = "", ...lines] = await linesIn(page);
    expect(where).toMatch(/^✗ \S*a\.test\.mjs:6 node:test$/);
    expect(lines).toEqual([
      expect.stringMatching(/^Likely cause: #1 rotate was rej/),
      'HTTP 401 {"code":"unauthorized"}',
    ]);
    await page.getByRole("link", { name: "Failed does not wait" }).click();
    await page.getByRole("heading", { name: "does not wait" }).waitFor();
    expect((await linesIn(page))[1]).toMatch(/^After the failure: #1 rotate arrived \d+ ms later: was it/);
    const requests = page.getByRole("region", { name: "Requests" }).getByRole("listitem");
    expect(await requests.allInnerTexts()).toEqual([
      "the test failed here",
      expect.stringMatching(/^#1 arrived \d+ ms after the failure: was it awaited\?$/),
      expect.stringMatching(/^#1\s+401/),
    ]);
    // A failed test without a request is a row of the list, and has only its own error.
    await page.getByRole("link", { name: "Failed sends nothing" }).click();
    await page.getByRole("heading", { name: "sends nothing" }).waitFor();
    expect((await linesIn(page)).slice(1)).toEqual(["no such function"]);
  });

  it("shows another command of exec with its exit code", async () => {
    const file = join(folder, "command.html");
    const work = command(`await create(url, "acme"); process.exit(3);`);
    await runHere(["exec", "--report", file, ...work]);
    const page = await inspector.openFile(file);
    await page.getByText(/^✗ exit code 3 · .*node/).waitFor();
    await page.getByRole("article", { name: "Request 1" }).waitFor();
  });
});
