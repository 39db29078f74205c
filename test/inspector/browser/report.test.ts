import { AssertionError } from "node:assert";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMock, startMock } from "../../../src/index.js";
import { reportedError } from "../../../src/mock/reported-error.js";
import { addTestToReport } from "../../../src/mock/test-report-file.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "usergroup-mock-report-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("report opened from a file", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  /** Opens a report from a file, without server and network. */
  async function open(file: string, hash = ""): Promise<Page> {
    const context = await inspector.newContext({ offline: true });
    const page = await context.newPage();
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) inspector.pageErrors.push(`requested ${request.url()}`);
    });
    await page.goto(`${pathToFileURL(file)}${hash}`);
    await page.getByText("report of").waitFor();
    return page;
  }

  it("shows requests with causes and assumptions, and is read-only", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    await inspector.mock.fault({ status: 503, match: { user_group_id: "never" } });
    const file = join(folder, "one", "report.html");
    await inspector.mock.saveReport(file);
    const page = await open(file, "#/requests/3");
    const entry = page.getByRole("article", { name: "Request 3" });
    await entry.getByText("current_token was rotated out by").first().waitFor();
    await entry.getByRole("link", { name: "request 2" }).first().click();
    await page.getByRole("article", { name: "Request 2" }).getByText("rotated", { exact: true }).waitFor();
    for (const button of ["Reset", "Clear", "Pause"]) {
      expect(await page.getByRole("button", { name: button }).count(), button).toBe(0);
    }
    await page.getByRole("link", { name: "Groups" }).click();
    await page.getByRole("row").filter({ hasText: "acme" }).waitFor();
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByText("has not fired").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Tests" }).click();
    await page.getByRole("row").filter({ hasText: "default" }).waitFor();
    expect(await page.locator("button:not(.sort)").count()).toBe(0);
    await page.getByLabel("Search tests").fill("new-world");
    await page.getByText("No test matches").waitFor();
    await page.getByRole("link", { name: "Assumptions" }).click();
    expect(await page.getByRole("radio").first().isDisabled()).toBe(true);
  });

  it("exports the groups of the world as a fixture that starts a mock", async () => {
    await create(url(), "acme", { mapping: { "40": "1" } });
    const file = join(folder, "groups.html");
    await inspector.mock.saveReport(file);
    const page = await open(file, "#/groups");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as fixture" }).click();
    const fixture = JSON.parse(await readFile(await (await coming).path(), "utf8"));
    await using again = await startMock({ fixtures: fixture });
    const byId = (group: { team_id: number; provided_id: string }) => `${group.team_id} ${group.provided_id}`;
    const sorted = (groups: Awaited<ReturnType<typeof again.groups>>) =>
      groups.map(({ seeded, rotations, ...group }) => group).sort((a, b) => byId(a).localeCompare(byId(b)));
    expect(sorted(await again.groups())).toEqual(sorted(await inspector.mock.groups()));
  });

  it("shows hostile text as data, character by character", async () => {
    const hostile = "</script><script>document.title=1</script><!-- <b>bold</b> \u2028 \u2029 </style>";
    await getOrCreate(
      url(),
      JSON.stringify({ user_group_id: hostile, name: hostile, properties: { hostile } }),
    );
    const odd = '{ "user_group_id": "a", "user_group_id": "b", "name": "B", "properties": { "n": 1.0 } }';
    await getOrCreate(url(), odd);
    const file = join(folder, "hostile.html");
    await inspector.mock.saveReport(file);
    const page = await open(file, "#/requests/1");
    const sent = page.getByRole("region", { name: "Request body" });
    expect(await sent.textContent()).toContain("</script><script>document.title=1</script><!-- <b>bold</b>");
    await page.getByRole("link", { name: /^#2 / }).click();
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    await expect
      .poll(async () => (await sent.textContent())?.replace(/\s/g, ""))
      .toBe(odd.replace(/\s/g, ""));
    expect(await page.title()).not.toBe("1");
    expect(await page.locator("b:not(nav b):not(label b)").count()).toBe(0);
  });

  it("has every world, including dropped ones, and the journals before a reset", async () => {
    const { mock } = inspector;
    await create(mock.world("w1").url, "kept");
    await mock.world("w1").reset({ label: "rotates a stale token" });
    await rotate(mock.world("gone").url, "stale");
    await mock.world("gone").drop();
    const file = join(folder, "all.html");
    const remote = await connectMock(mock.url);
    await remote.saveReport(file, { worlds: "all" });
    // A report of several worlds opens on the list of tests.
    const page = await open(file);
    await page.getByRole("row").filter({ hasText: "gone" }).getByRole("link").click();
    await page.getByRole("link", { name: "World gone" }).waitFor();
    await page.getByRole("link", { name: /^#1 404 rotate/ }).waitFor();
    await page.getByRole("link", { name: "World gone" }).click();
    await page.getByRole("link", { name: "rotates a stale token" }).click();
    await page.getByRole("link", { name: "World w1" }).waitFor();
    await page.getByRole("link", { name: /before reset 1/ }).click();
    await page.getByText("kept").first().waitFor();
    await page.getByRole("link", { name: /^#1 / }).click();
    await page.getByRole("article", { name: "Request 1" }).waitFor();
    // A link names the world, the epoch and the entry.
    const again = await open(file, new URL(page.url()).hash);
    await again.getByRole("article", { name: "Request 1" }).getByText("created", { exact: true }).waitFor();
  });

  it("shows the failed test: name, file, error, expected and actual value, attempt", async () => {
    await inspector.mock.reset({ label: "rotates a token" });
    await rotate(url(), "stale");
    const file = join(folder, "failed.html");
    await inspector.mock.saveReport(file);
    const error = new AssertionError({
      message: "expected 404 to be 200 </script><b>bold</b>",
      expected: { status: 200, ok: true },
      actual: { status: 404, ok: true },
    });
    await addTestToReport(file, {
      title: "groups > rotates a token",
      file: "test/groups.test.ts",
      framework: "vitest",
      attempt: 2,
      ...withError(error),
    });
    const page = await open(file);
    const test = page.getByRole("region", { name: "Failed test" });
    await test.getByRole("heading", { name: "groups > rotates a token" }).waitFor();
    await test.getByText("test/groups.test.ts · vitest · attempt 2").waitFor();
    await test.getByText("expected 404 to be 200 </script><b>bold</b>").waitFor();
    expect(await test.locator("mark").allTextContents()).toEqual(["200", "404"]);
    await page.getByRole("link", { name: /^#1 404 rotate/ }).waitFor();
    expect(await page.getByRole("heading", { name: "rotates a token", exact: true }).count()).toBe(0);
    expect(await page.title()).toContain("groups > rotates a token");
    expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
  });

  it("opens on a fault that did not fire, with its near misses", async () => {
    await inspector.mock.fault({ match: { user_group_id: "C5" }, status: 503 });
    await create(url(), "c5");
    const file = join(folder, "unfired.html");
    await inspector.mock.saveReport(file);
    await addTestToReport(file, { title: "survives an outage", framework: "jest", attempt: 1 });
    const page = await open(file);
    await page.locator(".target").getByText('user_group_id was "c5", not "C5"').waitFor();
    await page.getByRole("region", { name: "Failed test" }).getByText("survives an outage").waitFor();
  });

  const withError = (error: unknown) => {
    const reported = reportedError(error);
    return reported === undefined ? {} : { error: reported };
  };

  it("is little larger than its data", async () => {
    for (let n = 0; n < 50; n++) await create(url(), `g${n}`);
    const file = join(folder, "size.html");
    await inspector.mock.saveReport(file);
    const { mock } = inspector;
    const data = [await mock.requests(), await mock.groups(), await mock.assumptions()];
    expect((await stat(file)).size - JSON.stringify(data).length).toBeLessThan(140_000);
  });
});
