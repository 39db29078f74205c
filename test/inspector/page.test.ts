import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { getOrCreate, rotate } from "../call.js";
import { inspect } from "./inspected.js";

describe("the inspector page", () => {
  it("weighs less than 60 kB compressed", async () => {
    const folder = fileURLToPath(new URL("../../dist/inspector/", import.meta.url));
    const files = await readdir(folder);
    expect(files.sort()).toEqual(["index.html", "inspector.css", "inspector.js"]);
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(folder + file)).length),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });
});

describe("the inspector in a browser", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("leaves no trace in the journal, and asks nobody but the mock", async () => {
    const context = await inspected.look({});
    const asked = new Set<string>();
    context.on("request", (request) => asked.add(new URL(request.url()).origin));
    const page = await inspected.open();
    for (const view of ["Groups", "Faults", "Assumptions", "Tests"]) {
      await page.getByRole("link", { name: view }).click();
    }
    expect(await inspected.mock.requests()).toEqual([]);
    expect([...asked]).toEqual([url()]);
  });

  it("is where the base URL leads, and that is no call", async () => {
    const page = await (await inspected.look({})).newPage();
    await page.goto(url());
    await page.getByText("No request has reached").waitFor();
    expect(page.url()).toBe(`${url()}/__admin/`);
    expect(await inspected.mock.requests()).toEqual([]);
  });

  it("shows bodies character by character, and what became of an answer", async () => {
    await inspected.mock.fault({ truncate: true, phase: "after" });
    const sent =
      '{"user_group_id":"a","user_group_id":"b","name":"B","properties":{"n":1.0,"big":9007199254740993}}';
    await getOrCreate(url(), sent).catch(() => {});
    const page = await inspected.open("#/requests/1");
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("a part of the answer was sent").waitFor();
    const body = await entry.getByRole("region", { name: "Request body" }).textContent();
    expect(body?.replace(/\s/g, "")).toBe(sent);
    const answer = await entry.getByRole("region", { name: "Response body" }).textContent();
    expect(answer).toMatch(/^\{"success":1,"new_user_group":true,[^}]*$/);
    await entry.getByText("the caller got half of the response").waitFor();
  });

  it("shows hostile ids and bodies as text", async () => {
    const hostile = '</script><img src=x onerror="document.title=1"><b>bold</b>';
    const sent = {
      user_group_id: hostile,
      name: hostile,
      mapping: { [hostile]: hostile },
      properties: { [hostile]: { __proto__: null, hostile } },
      [hostile]: hostile,
    };
    await getOrCreate(url(), sent, { headers: { "X-Hostile": hostile } });
    await getOrCreate(url(), hostile);
    const page = await inspected.open("#/requests/1");
    const entry = page.getByRole("article");
    expect(await entry.getByRole("region", { name: "Request body" }).textContent()).toContain("<b>bold</b>");
    await page.getByRole("link", { name: /^#2 / }).click();
    await page.getByRole("article", { name: "Request 2" }).getByText(hostile).first().waitFor();
    await page.getByRole("link", { name: /^#1 / }).click();
    await page.getByRole("article", { name: "Request 1" }).getByRole("link", { name: hostile }).click();
    await page.getByRole("row").filter({ hasText: hostile }).first().waitFor();
    expect(await page.locator("img, b:not(nav b), body script").count()).toBe(0);
    expect(await page.title()).not.toBe("1");
  });

  it("goes on after the server was started anew on the same port", async () => {
    inspected.mayComplainOf("net::ERR");
    const first = await startMock();
    const page = await (await inspected.look({})).newPage();
    await getOrCreate(first.url, { user_group_id: "before", name: "A" });
    await page.goto(`${first.url}/__admin/`);
    await page.getByText("before").waitFor();
    await first.stop();
    await page.getByText("reconnecting").waitFor();
    await using second = await startMock({ port: Number(new URL(first.url).port) });
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText("No request has reached").waitFor();
    await getOrCreate(second.url, { user_group_id: "afterwards", name: "A" });
    await page.getByText("afterwards").waitFor();
    expect(await page.getByText("before").count()).toBe(0);
  });

  it("works where the admin API asks for a token, which the browser asks for once", async () => {
    await using guarded = await startMock({ adminToken: "secret" });
    const context = await inspected.look({ httpCredentials: { username: "anybody", password: "secret" } });
    const page = await context.newPage();
    await page.goto(`${guarded.url}/__admin/`);
    await page.getByText("live", { exact: true }).waitFor();
    await getOrCreate(guarded.url, { user_group_id: "a", name: "A" });
    await page.getByRole("link", { name: "#1 " }).waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("No request has reached").waitFor();
    expect(await guarded.requests()).toEqual([]);
    // It would complain of a mock that is gone.
    await page.close();
  });

  it("is at ease with 1,000 entries", async () => {
    for (let i = 0; i < 1_005; i += 15) {
      const calls = Array.from({ length: 15 }, (_, n) => ({ user_group_id: `g${i + n}`, name: "N" }));
      await Promise.all(calls.map((body) => getOrCreate(url(), body)));
    }
    const page = await inspected.open();
    await page.getByText("The full journal dropped 5 older requests").waitFor();
    const rows = page.getByRole("listitem");
    expect(await rows.first().textContent()).toContain("#1005");
    expect(await rows.count()).toBeLessThan(60);
    const list = page.locator(".journal-list");
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    const reading = page.getByRole("link", { name: "#500 " });
    const before = await reading.boundingBox();
    await getOrCreate(url(), { user_group_id: "one-more", name: "N" });
    await page.getByText("The full journal dropped 6 older requests").waitFor();
    expect((await reading.boundingBox())?.y).toBe(before?.y);
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByRole("link", { name: "#7 " }).waitFor();
    await page.getByLabel("Filter requests").fill("g777");
    await expect.poll(() => rows.count()).toBe(1);
  });

  it("obeys the keyboard", async () => {
    for (const id of ["a", "b", "c"]) await getOrCreate(url(), { user_group_id: id, name: "N" });
    const page = await inspected.open();
    await page.getByRole("link", { name: "#3" }).waitFor();
    const focused = () => page.evaluate("document.activeElement.innerText.split('\\n')[0]");
    await page.keyboard.press("/");
    await page.keyboard.type("get-or");
    expect(await page.getByLabel("Filter requests").inputValue()).toBe("get-or");
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("Filter requests").inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("#3");
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("#2");
    await page.keyboard.press("k");
    await expect.poll(focused).toBe("#3");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Request 3" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("article").waitFor({ state: "detached" });
    await expect.poll(focused).toBe("#2");
  });

  it("does not move while it loads", async () => {
    await playThrough();
    const context = await inspected.look({});
    await context.addInitScript(
      "new PerformanceObserver((list) => { window.moved = (window.moved ?? 0) + list.getEntries().reduce((sum, { value }) => sum + value, 0); }).observe({ type: 'layout-shift', buffered: true });",
    );
    const page = await inspected.open();
    await page.getByRole("link", { name: "#3" }).waitFor();
    expect(await page.evaluate("window.moved ?? 0")).toBeLessThan(0.01);
  });

  async function playThrough(): Promise<void> {
    const sent = {
      user_group_id: "a",
      name: "A".repeat(80),
      mapping: { "40": "x".repeat(90) },
      propertys: 1,
    };
    const { body } = await getOrCreate(url(), sent);
    await rotate(url(), "b".repeat(64));
    await inspected.mock.fault({ status: 503, match: { user_group_id: "a" } });
    await inspected.mock.hold();
    await getOrCreate(url(), { user_group_id: "a" });
    await inspected.mock.clearFaults();
    await inspected.mock.fault({ operation: "rotate", delayMs: 1, times: "always" });
    await rotate(url(), body.user_group.token);
    await inspected.mock.assume({ "created-status": "201" });
  }
});
