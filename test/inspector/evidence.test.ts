import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { create, getOrCreate, rotate } from "../call.js";
import { seededToken } from "../seeded.js";
import { inspect } from "./inspected.js";

const rowsOf = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");
const why = (page: Page) => page.getByRole("region", { name: "Why" });

describe("what failed, and why", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("has earlier tests as sections of the journal, those with failures first", async () => {
    const { mock } = inspected;
    await mock.reset({ label: "fails to rotate" });
    await rotate(url(), "nobody's");
    await mock.reset({ label: "creates a group" });
    await create(url(), "fine");
    await mock.reset({ label: "goes on" });
    await create(url(), "now");
    const page = await inspected.open();
    const texts = () => rowsOf(page).allInnerTexts();
    await expect
      .poll(texts)
      .toEqual([
        expect.stringContaining("now"),
        expect.stringMatching(/fails to rotate\s*1 request, 1 failed/),
        expect.stringMatching(/creates a group\s*1 request\s/),
      ]);
    await page.getByRole("link", { name: /fails to rotate/ }).click();
    await expect.poll(texts).toHaveLength(4);
    // Calls of now and of then have the same ids, and are not mixed up.
    await rowsOf(page).filter({ hasText: /404/ }).click();
    await page.getByRole("article", { name: "Request 1" }).getByText("unknown_token").first().waitFor();
    await page.getByText("No longer in the journal: the world was reset at").waitFor();
    await rowsOf(page).filter({ hasText: "now" }).click();
    await page.getByRole("article", { name: "Request 1" }).getByRole("link", { name: "now" }).waitFor();
  });

  it("says it in a sentence, from notes, effect and delivery", async () => {
    const { mock } = inspected;
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    await rotate(url(), seededToken).catch(() => {});
    await rotate(url(), seededToken);
    const page = await inspected.open("#/requests/1");
    await expect
      .poll(() => why(page).textContent())
      .toBe(
        "No response was sent, but the token was rotated: fault 1 reset the connection after the token had been rotated; the caller never saw the new token.",
      );
    await page.getByRole("link", { name: /^#2 / }).click();
    await expect
      .poll(() => why(page).textContent())
      .toMatch(/The response was 404 unknown_token, and nothing happened in the world: .* by request 1\.$/);
  });

  it("leads from a failing call to its cause with the keyboard alone", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspected.open();
    await rowsOf(page).first().waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.innerText")).toContain("#3");
    await page.keyboard.press("Enter");
    const link = why(page).getByRole("link", { name: "request 2" });
    await link.waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent");
    for (let i = 0; i < 40 && (await focused()) !== "request 2"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Request 2" }).getByText("rotated", { exact: true }).waitFor();
  });

  it("shows the life of a group, each step with its call", async () => {
    const { mock } = inspected;
    const { token } = (await create(url(), "acme")).body.user_group;
    await getOrCreate(url(), { user_group_id: "acme" });
    await getOrCreate(url(), { user_group_id: "acme" });
    const rotated = (await rotate(url(), token)).body.user_group.token;
    await rotate(url(), token);
    await mock.fault({ operation: "rotate", phase: "after", empty: true });
    await rotate(url(), rotated).catch(() => {});
    const page = await inspected.open("#/groups?team=3&group=acme");
    const steps = page.locator(".life li");
    await expect
      .poll(() => steps.allInnerTexts())
      .toEqual([
        "created #1",
        "found 2 times, last #3",
        "rotated #4",
        "stale token used #5",
        "lost rotation #6",
      ]);
    await steps.last().getByRole("link").click();
    const entry = page.getByRole("article", { name: "Request 6" });
    await entry.waitFor();
    expect(await entry.locator(".life li").count()).toBe(5);
    expect(await entry.locator(".life [aria-current]").textContent()).toBe("#6");
  });

  it("compares a call with the last success of its operation and group", async () => {
    await create(url(), "other");
    await create(url(), "acme");
    await create(url(), "acme", { name: 7, properties: { region: "EU" } });
    const page = await inspected.open("#/requests/3");
    await page.getByRole("link", { name: "Compare with #2, the last success" }).click();
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByRole("heading", { name: /Request body .* lines differ/ }).waitFor();
    const changed = await comparison.locator("tr.differs").allInnerTexts();
    expect(changed).toContainEqual(expect.stringMatching(/^− {3}"name": "acme"\s*\+ {3}"name": 7,$/));
    expect(changed).toContainEqual(expect.stringMatching(/^− 200\s*\+ 400$/));
    await comparison.getByLabel(/Compare #3 with/).selectOption("1");
    await comparison.getByRole("columnheader", { name: "#1" }).first().waitFor();
    // The link leads to the same comparison.
    const again = await inspected.open(new URL(page.url()).hash);
    await again.getByRole("region", { name: "Comparison" }).getByText('"other"').first().waitFor();
    await page.getByRole("link", { name: "Do not compare" }).click();
    await comparison.waitFor({ state: "detached" });
  });

  it("compares a request with the one that it retried, and marks what differs within a line", async () => {
    const { mock } = inspected;
    await create(url(), "acme");
    await mock.fault({ status: 503 });
    await create(url(), "acme", { properties: { region: "EU west 1" } });
    await create(url(), "acme", { properties: { region: "EU west 1" } });
    const page = await inspected.open("#/requests/3");
    await page.getByRole("link", { name: "Compare with #2, which it retried" }).click();
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByRole("heading", { name: /Request body the same/ }).waitFor();
    expect(await comparison.getByText(/^(date|usergroup-mock-request|content-length):/).count()).toBe(0);
    await comparison.getByText("Headers that always differ are left out").waitFor();
    // Any other request can be chosen.
    await comparison.getByLabel(/Compare #3 with/).selectOption("1");
    await comparison.getByRole("columnheader", { name: "#1" }).first().waitFor();
    await create(url(), "acme", { properties: { region: "EU east 1" } });
    await page.goto(`${url()}/__admin/#/requests/4?with=3`);
    await expect
      .poll(() => comparison.locator("tr.differs", { hasText: "region" }).locator("mark").allTextContents())
      .toEqual(["west", "east"]);
  });

  it("compares with a request of an earlier test", async () => {
    const { mock } = inspected;
    await mock.reset({ label: "passing test" });
    await create(url(), "before");
    await create(url(), "acme");
    await mock.reset({ label: "failing test" });
    await create(url(), "acme", { name: 7 });
    const page = await inspected.open("#/requests/1?with=1");
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByLabel("Test of the other request").selectOption("passing test");
    await comparison.getByText('"before"').first().waitFor();
    await comparison.getByLabel(/Compare #1 with/).selectOption("2");
    await expect
      .poll(() => comparison.locator("tr.differs", { hasText: "name" }).first().textContent())
      .toMatch(/−.*"name": "acme".*\+.*"name": 7/);
    const again = await inspected.open(new URL(page.url()).hash);
    await again.getByRole("region", { name: "Comparison" }).getByText('"acme"').first().waitFor();
  });

  it("puts calls on a timeline: overlaps, holds, retries and the time between them", async () => {
    const { mock } = inspected;
    await mock.fault({ status: 503 });
    await create(url(), "acme");
    await create(url(), "acme");
    const held = await mock.hold();
    const first = create(url(), "held");
    await held.arrived;
    await create(url(), "meanwhile");
    const page = await inspected.open();
    await page.getByRole("button", { name: "Timeline" }).click();
    const row = (id: number) =>
      rowsOf(page)
        .filter({ hasText: `#${id}` })
        .filter({ hasText: /^#/ });
    await rowsOf(page).filter({ hasText: "retry of #1" }).waitFor();
    await rowsOf(page)
      .filter({ hasText: /\+\d+ ms$/ })
      .first()
      .waitFor();
    const box = async (id: number) => {
      const found = await row(id).first().locator(".bar").boundingBox();
      return { from: found?.x ?? 0, to: (found?.x ?? 0) + (found?.width ?? 0) };
    };
    await expect.poll(async () => (await box(3)).to >= (await box(4)).to).toBe(true);
    expect((await box(3)).from).toBeLessThanOrEqual((await box(4)).from);
    await page.getByRole("button", { name: "Release fault 2" }).click();
    expect((await first).status).toBe(200);
    await expect.poll(() => page.locator(".bar.held").count()).toBe(1);
    // The address keeps it.
    await page.reload();
    await page.locator(".bar").first().waitFor();
  });

  it("has an axis on the timeline: a long hold leaves room for the others, and one can zoom", async () => {
    const { mock } = inspected;
    const held = await mock.hold({ match: { user_group_id: "held" } });
    const first = create(url(), "held");
    await held.arrived;
    await mock.fault({ delayMs: 20, times: "always" });
    for (let n = 0; n < 6; n++) await create(url(), `g${n}`);
    // The page shows the hold as long as it lasts: much longer than the others.
    const page = await inspected.open("#/requests?timeline");
    const barOf = (id: number) => page.locator(`.row[data-key$="/${id}"] .bar`);
    await expect.poll(async () => (await barOf(1).getAttribute("class"))?.includes("cut")).toBe(true);
    const widthOf = async (id: number) => (await barOf(id).boundingBox())?.width ?? 0;
    await expect.poll(() => widthOf(4)).toBeGreaterThan(10);
    expect(await page.locator(".tick").count()).toBeGreaterThanOrEqual(1);
    await expect.poll(() => page.locator(".tick").first().textContent()).toMatch(/^\d\d:\d\d:\d\d/);
    const before = await widthOf(4);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(() => widthOf(4)).toBeGreaterThan(before * 1.5);
    await page.getByRole("button", { name: "Fit" }).click();
    await expect.poll(async () => Math.abs((await widthOf(4)) - before) < before / 2).toBe(true);
    const axis = await page.locator(".ticks").boundingBox();
    const [x, y, width] = [axis?.x ?? 0, (axis?.y ?? 0) + 10, axis?.width ?? 0];
    await page.mouse.move(x + width * 0.2, y);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.4, y, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => page.getByRole("button", { name: "Fit" }).isEnabled()).toBe(true);
    await mock.clearFaults();
    await first;
  });

  it("calls only the same request a retry", async () => {
    const { mock } = inspected;
    // The bodies of these are different, and were not read.
    await rotate(url(), "stale", { headers: { "Content-Type": "text/plain" } });
    await rotate(url(), "other", { headers: { "Content-Type": "text/plain" } });
    await create(url(), "acme", { name: 7 });
    await create(url(), "acme");
    await rotate(url(), "stale");
    await rotate(url(), "stale");
    await mock.reset({ label: "next" });
    await create(url(), "one");
    const page = await inspected.open("#/requests?timeline&epoch=1");
    await page.locator(".row[data-key='1/6'] .bar").waitFor();
    await expect.poll(() => page.locator(".row .track .tag").allTextContents()).toEqual(["retry of #5"]);
    expect(await page.locator(".row[data-key='1/6'] .track .tag").count()).toBe(1);
  });
});

describe("calls from the inspector", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("sends the first one in an empty world", async () => {
    const page = await inspected.open();
    await page.getByRole("button", { name: "Send this request" }).click();
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("sent by the inspector").waitFor();
    await entry.getByText("created", { exact: true }).waitFor();
  });

  it("sends one again as it was, or edited", async () => {
    const text = '{"user_group_id": "acme", "name": "Acme", "properties": {"n": 1.0}}';
    await getOrCreate(url(), text, { headers: { "X-Trace": "seven" } });
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("article", { name: "Request 2" }).getByText("found", { exact: true }).waitFor();
    const [first, second] = await inspected.mock.requests();
    expect(second?.request.headers["x-trace"]).toBe("seven");
    expect(second?.request.body).toEqual(first?.request.body);
    await page.getByRole("link", { name: "Edit and send" }).click();
    const form = page.getByRole("article", { name: "Send a request" });
    await expect.poll(() => form.getByLabel("Body").inputValue()).toBe(text);
    await form.getByLabel("Body").fill('{"user_group_id": "other", "name": "Other"}');
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article", { name: "Request 3" }).getByText("created", { exact: true }).waitFor();
  });

  it("sends one without what every call has, where it is deleted from the form", async () => {
    const page = await inspected.open("#/requests?send");
    const form = page.getByRole("article", { name: "Send a request" });
    await form.getByLabel("Headers").fill("");
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article", { name: "Request 1" }).getByText("unauthorized").first().waitFor();
  });

  it("says why one cannot be sent", async () => {
    const page = await inspected.open("#/requests?send");
    const lines = page.getByLabel("Headers");
    const before = await lines.inputValue();
    await lines.fill("no header");
    await page.getByRole("article").getByRole("button", { name: "Send" }).click();
    await page.getByText("A header is a line like Retry-After: 1.").waitFor();
    await lines.fill(before);
    await page.getByLabel("Path").fill("api");
    await page.getByRole("article").getByRole("button", { name: "Send" }).click();
    await page.getByText("/path must be a path of the service, such as /api/user").waitFor();
    await expect.poll(() => inspected.complaints).toEqual([expect.stringContaining("400")]);
    inspected.complaints.length = 0;
  });

  it("copies one as JavaScript that makes the same call", async () => {
    const { body: first } = await create(url(), "it's `7` \\ \" 😀");
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as JavaScript" }).click();
    await page.getByText("Copied as JavaScript").waitFor();
    const { stdout } = await runModule(await inspected.copied(page));
    expect(stdout).toMatch(/^200 /);
    const [, again] = await inspected.mock.requests();
    expect(again?.request.body).toEqual({
      user_group_id: first.user_group.provided_id,
      name: first.user_group.name,
    });
  });

  it("copies one as lines for a test that work", async () => {
    await create(url(), "acme", { mapping: { "40": "213", "odd key": "x" } });
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as test" }).click();
    await page.getByText("Copied lines for a test").waitFor();
    const lines = await inspected.copied(page);
    const program = `import { connectMock } from ${JSON.stringify(new URL("../../dist/esm/index.js", import.meta.url).href)};
      const mock = await connectMock(${JSON.stringify(url())});\n${lines}`;
    expect((await runModule(program)).code).toBe(0);
    expect((await create(url(), "acme", { mapping: { "40": "213", "odd key": "x" } })).status).toBe(503);
  });

  it.each([
    ["400", () => create(url(), "acme", { name: 7 })],
    ["401", () => getOrCreate(url(), { user_group_id: "acme", name: "Acme" }, { apiToken: "unknown" })],
  ] as const)("copies no fault for a request that no fault can meet: %s", async (status, send) => {
    expect((await send()).status).toBe(Number(status));
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as test" }).click();
    await page.getByText("Copied lines for a test").waitFor();
    const lines = await inspected.copied(page);
    expect(lines).toContain("No fault can meet it");
    expect(lines).not.toContain("mock.fault(");
    const program = `import { connectMock } from ${JSON.stringify(new URL("../../dist/esm/index.js", import.meta.url).href)};
      const mock = await connectMock(${JSON.stringify(url())});\n${lines}`;
    expect((await runModule(program)).code).toBe(0);
  });

  /** Runs a program as a file of this project, so that it finds its packages. */
  async function runModule(program: string): Promise<{ code: number; stdout: string }> {
    const folder = await mkdtemp(
      join(fileURLToPath(new URL("../../node_modules/", import.meta.url)), ".copied-"),
    );
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "program.mjs"), program);
    const child = spawn(process.execPath, [join(folder, "program.mjs")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    const [code] = await once(child, "close");
    return { code, stdout: Buffer.concat(chunks).toString() };
  }
});

describe("finding and steering", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("filters by fields, without what a minus stands before, and by every word of a row", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await create(url(), "other");
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspected.open();
    await rowsOf(page).first().waitFor();
    const ids = async () =>
      (await rowsOf(page).allInnerTexts()).map((text) => /#(\d+)/.exec(text)?.[1]).join(" ");
    for (const [text, expected] of [
      ["status:404", "4"],
      ["status:2xx -group:acme", "2"],
      ["group:acme", "4 3 1"],
      ["group:acme -outcome:success", "4"],
      ["effect:rotated", "3"],
      ["assumed:old-token", "4"],
      ["code:unknown_token", "4"],
      ['"was rotated out"', "4"],
      ["-rotate", "2 1"],
      ["was found", ""],
      ["was created", "2 1"],
      ["operation:rotate id:3", "3"],
      ["nonsense:404", ""],
    ]) {
      await page.getByLabel("Filter requests").fill(text ?? "");
      await expect.poll(async () => [text, await ids()]).toEqual([text, expected]);
    }
    // What an assumption says that it decided is what its link shows.
    await page.goto(`${url()}/__admin/#/assumptions/old-token`);
    const target = page.locator(".target");
    await expect.poll(() => target.locator("code").first().textContent()).toBe("old-token");
    expect(await inView(page)).toBe(true);
    await target.getByRole("link", { name: "1 request" }).click();
    await expect.poll(ids).toBe("4");
  });

  it("arms a fault with every field of the contract, and clears all", async () => {
    const page = await inspected.open("#/faults");
    await page.getByText(/^More:/).click();
    await page.getByLabel("Status", { exact: true }).fill("429");
    await page.getByLabel("How often").fill("always");
    await page.getByLabel("Which operation").selectOption("get-or-create");
    await page.getByLabel("When").selectOption("after");
    await page.getByLabel("Requests to skip first").fill("1");
    await page.getByLabel("Probability").fill("1");
    await page.getByLabel("Only team").fill("3");
    await page.getByLabel("Wait first, in ms").fill("1");
    await page.getByLabel("Only bodies with").fill('{"properties": {"region": "EU"}}');
    await page.getByLabel("Headers of the answer").fill("Retry-After: 1");
    await page.getByLabel("Body of the answer").fill("<html>");
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("Fault 1 is armed.").waitFor();
    const { fired, holding, active, id, nearMisses, ...armed } = (await inspected.mock.faults())[0] ?? {};
    expect(armed).toEqual({
      operation: "get-or-create",
      match: { properties: { region: "EU" } },
      team_id: 3,
      phase: "after",
      status: 429,
      headers: { "Retry-After": "1" },
      text: "<html>",
      delayMs: 1,
      times: "always",
      skip: 1,
      probability: 1,
    });
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("No fault is armed").waitFor();
    expect(await inspected.mock.faults()).toEqual([]);
  });

  it("offers no line for a test that cannot work", async () => {
    const page = await inspected.open("#/faults");
    await page.getByLabel("Status", { exact: true }).fill("");
    await page.getByText("Enter a status from 400 to 599.").waitFor();
    expect(await page.getByText("In a test:").count()).toBe(0);
    await page.getByText("Slow", { exact: true }).click();
    await page.getByLabel("Delay in ms").fill("0");
    await page.getByText("Enter a delay from 1 to 600000 milliseconds.").waitFor();
  });

  it("releases a held call wherever it shows, with the time that it has waited", async () => {
    const { mock } = inspected;
    for (const [hash, n] of [
      ["#/requests", 1],
      ["#/requests/2?epoch=1", 2],
      ["#/faults", 3],
    ] as const) {
      const held = await mock.hold();
      const answer = create(url(), `held-${n}`);
      await held.arrived;
      const page = await inspected.open(hash);
      await page
        .getByText(/\b\d+ s\b/)
        .first()
        .waitFor();
      await page
        .getByRole("button", { name: `Release fault ${n}` })
        .first()
        .click();
      expect((await answer).status).toBe(200);
      await page.close();
    }
  });

  it("leads to the fault of a call, on the screen", async () => {
    const { mock } = inspected;
    for (let i = 0; i < 30; i++) await mock.fault({ status: 500, match: { user_group_id: `g${i}` } });
    await create(url(), "g0");
    const page = await inspected.open("#/requests/1");
    await page.getByRole("article").getByRole("link", { name: "fault 1", exact: true }).click();
    await page.locator(".target").getByText("Fault 1 answers 500").waitFor();
    expect(await inView(page)).toBe(true);
  });

  async function inView(page: Page): Promise<boolean> {
    const box = await page.locator(".target").boundingBox();
    const { height = 0 } = page.viewportSize() ?? {};
    return box !== null && box.y >= 0 && box.y < height;
  }
});
