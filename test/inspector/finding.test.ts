import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../call.js";
import { seededToken } from "../seeded.js";
import { inspect } from "./inspected.js";

const rowsOf = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");

describe("finding a request in the journal", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("says that a field of the filter does not exist, and lists those that do", async () => {
    await create(url(), "acme");
    const page = await inspected.open();
    const filter = page.getByLabel("Filter requests");
    await filter.fill("statuss:404");
    await page.getByText("statuss is not a field. Fields: id, status, group").waitFor();
    await filter.fill("statuss:404 colour:red");
    await page.getByText("statuss, colour are not fields.").waitFor();
    // An address is no field.
    await filter.fill("http://localhost status:200");
    await page.getByText("not a field").waitFor({ state: "detached" });
  });

  it("has the help of the filter one click away, and every example in it works", async () => {
    await create(url(), "acme");
    const page = await inspected.open();
    await page.getByRole("button", { name: "Help for the filter" }).click();
    const help = page.locator("#filter-help");
    await help.getByText("the HTTP status; status:4xx for a range").waitFor();
    const examples = await help.locator("code").allTextContents();
    expect(examples.length).toBeGreaterThan(10);
    await page.keyboard.press("Escape");
    await expect.poll(() => help.isVisible()).toBe(false);
    await page.getByLabel("Filter requests").fill(examples.join(" "));
    await page.getByText("None of 1 request matches.").waitFor();
    expect(await page.getByText("not a field").count()).toBe(0);
  });

  it("counts in the chips what the filter shows", async () => {
    await create(url(), "acme");
    await create(url(), "other");
    await rotate(url(), "stale");
    const page = await inspected.open();
    const chips = () => page.locator(".choices").textContent();
    await expect.poll(chips).toContain("all 3success 2failure 1");
    await page.getByLabel("Filter requests").fill("group:acme");
    await expect.poll(chips).toContain("all 1success 1failure 0");
    await page.getByText("failure 0").click();
    // The chips say what one would get, whichever of them is chosen.
    await expect.poll(chips).toContain("all 1success 1failure 0");
  });

  it("says for a collapsed test how many of its requests match", async () => {
    const { mock } = inspected;
    await mock.reset({ label: "first test" });
    await create(url(), "acme");
    await create(url(), "other");
    await mock.reset({ label: "second test" });
    await create(url(), "other");
    await mock.reset({ label: "third test" });
    const page = await inspected.open();
    await page.getByRole("link", { name: /first test\s*2 requests/ }).waitFor();
    await page.getByLabel("Filter requests").fill("group:acme");
    await page.getByRole("link", { name: /first test\s*1 of 2 requests matches/ }).waitFor();
    await page.getByRole("link", { name: /second test\s*0 of 1 request match/ }).waitFor();
    await page.getByLabel("Filter requests").fill("");
    await page.getByRole("link", { name: /first test\s*2 requests/ }).waitFor();
  });

  it("goes to the next failure with n, also into an earlier test", async () => {
    const { mock } = inspected;
    await mock.reset({ label: "failed test" });
    await rotate(url(), "stale");
    await mock.reset({ label: "this test" });
    await create(url(), "one");
    await rotate(url(), "stale");
    await create(url(), "two");
    await rotate(url(), "stale");
    await create(url(), "three");
    const page = await inspected.open();
    await rowsOf(page).first().waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent");
    for (const expected of ["#4", "#2", "failed test", "#4"]) {
      await page.keyboard.press("n");
      await expect.poll(focused).toContain(expected);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Request 4" }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("article", { name: "Request 2" }).waitFor();
  });

  it("says that there is no failure to go to", async () => {
    await create(url(), "one");
    const page = await inspected.open();
    await rowsOf(page).first().waitFor();
    await page.keyboard.press("n");
    await page.getByText("No request failed.").waitFor();
  });

  it("lists the problems of a body", async () => {
    await create(url(), "acme", { name: 7, mapping: { "40": 1, "41": 2 } });
    const page = await inspected.open("#/requests/1");
    const problems = page.getByRole("list", { name: "Problems of the body" }).getByRole("listitem");
    await expect
      .poll(() => problems.allTextContents())
      .toEqual(["/name must be string", "/mapping/40 must be string", "/mapping/41 must be string"]);
    // Once: the sentence above does not repeat them.
    const why = await page.getByRole("region", { name: "Why" }).textContent();
    expect(why?.match(/\/name must be string/g)).toHaveLength(1);
  });

  it("marks where a body stops being JSON", async () => {
    await getOrCreate(url(), '{"user_group_id": "a",\n "name": A}');
    await getOrCreate(url(), '{"user_group_id": "a"');
    const page = await inspected.open("#/requests/1");
    const body = page.getByRole("region", { name: "Request body" });
    await expect.poll(() => body.locator("mark").textContent()).toBe("A");
    await page.getByText("Not JSON from line 2, column 10 on.").waitFor();
    await page.getByRole("link", { name: /^#2 / }).click();
    await page.getByText("The JSON ends too early, at line 1, column 22.").waitFor();
  });

  it("has a divider that can be dragged and moved with keys, and remembers its place", async () => {
    await create(url(), "acme");
    const page = await inspected.open("#/requests/1");
    const divider = page.getByRole("separator", { name: "Width of the list" });
    const widthOf = async () => (await page.locator(".journal-list").boundingBox())?.width ?? 0;
    const box = await divider.boundingBox();
    const before = await widthOf();
    await page.mouse.move(box?.x ?? 0, 400);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 200, 400, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.abs((await widthOf()) - before - 200) < 15).toBe(true);
    const dragged = await widthOf();
    await divider.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(widthOf).toBeLessThan(dragged);
    const moved = await widthOf();
    await page.reload();
    await expect.poll(widthOf).toBe(moved);
  });
});

describe("the bodies of a request", () => {
  const inspected = inspect();

  it("show raw or indented, and can be copied", async () => {
    const sent = '{"user_group_id":"acme", "name":"Acme","properties":{"n":1.0}}';
    await getOrCreate(inspected.mock.url, sent);
    const page = await inspected.open("#/requests/1");
    const body = page.getByRole("region", { name: "Request body" });
    await expect.poll(() => body.textContent()).toContain('{\n  "user_group_id"');
    await page.getByRole("button", { name: "Raw request body" }).click();
    await expect.poll(() => body.textContent()).toBe(sent);
    await page.getByRole("button", { name: "Copy body of the request" }).click();
    await page.getByText("Copied the request body.").waitFor();
    expect(await inspected.copied(page)).toBe(sent);
    await page.getByRole("button", { name: "Copy body of the response" }).click();
    await page.getByText("Copied the response body.").waitFor();
    expect(JSON.parse(await inspected.copied(page))).toMatchObject({ success: 1, new_user_group: true });
  });

  it("are there for a request that was rejected with 401, without tokens that the mock did not issue", async () => {
    const { mock } = inspected;
    const foreign = `${"f".repeat(60)}9876`;
    const apiToken = "production-token-1234";
    await getOrCreate(mock.url, { user_group_id: "acme", name: "Acme", api_token: foreign }, { apiToken });
    await rotate(mock.url, seededToken, { apiToken });
    const page = await inspected.open("#/requests/1");
    const body = page.getByRole("region", { name: "Request body" });
    await expect.poll(() => body.textContent()).toContain('"user_group_id": "acme"');
    expect(await body.textContent()).toContain('"api_token": "********9876"');
    await page
      .getByRole("region", { name: "Request", exact: true })
      .getByText(/\d headers/)
      .click();
    await page.getByText("Token ********1234").waitFor();
    expect(await page.content()).not.toContain(foreign);
    expect(await page.content()).not.toContain("production");
    await page.getByRole("link", { name: /^#2 / }).click();
    await expect.poll(() => body.textContent()).toContain(seededToken);
  });

  it("show what an update changed, before and after", async () => {
    const { mock } = inspected;
    await mock.assume({ "existing-group": "updated" });
    await create(mock.url, "acme", { mapping: { "40": "1" } });
    await create(mock.url, "acme", { name: "Acme Ltd", mapping: { "40": "1" } });
    const [, updated] = await mock.requests();
    expect(updated?.changes).toEqual({ name: { before: "acme", after: "Acme Ltd" } });
    const page = await inspected.open("#/requests/2");
    const changes = page.getByRole("region", { name: "Changes" });
    await expect
      .poll(() => changes.getByRole("row").allTextContents())
      .toEqual(["FieldBeforeAfter", 'name"acme""Acme Ltd"']);
  });
});

describe("a fault that has not fired", () => {
  const inspected = inspect();

  it("says on its card which request came close, and why it did not meet it", async () => {
    const { mock } = inspected;
    await mock.fault({ match: { user_group_id: "C5" }, status: 503 });
    const page = await inspected.open("#/faults");
    await page.getByText("has not fired").waitFor();
    await create(mock.url, "c5");
    for (const id of ["d5", "d6", "d7", "d8"]) await create(mock.url, id);
    const misses = page.getByRole("list", { name: "Near misses of fault 1" });
    await expect.poll(() => misses.textContent()).toBe('#1 user_group_id was "c5", not "C5"');
    await page.getByText("1 request came close:").waitFor();
    // As the assertion of a test has it.
    await expect(mock.assertFaultsFired()).rejects.toThrow('user_group_id was "c5", not "C5"');
    await create(mock.url, "C5");
    await page.getByText("fired 1 time").waitFor();
    await misses.waitFor({ state: "detached" });
  });
});
