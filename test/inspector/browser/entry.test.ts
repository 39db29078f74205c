import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { whyOf } from "../../../src/contract/why.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { useInspector } from "../use-inspector.js";

const why = (page: Page) => page.getByRole("region", { name: "Why" });

describe("entry in the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("explains a failure in a sentence", async () => {
    const { mock } = inspector;
    await mock.fault({ operation: "rotate", phase: "after", reset: true });
    await rotate(url(), seededToken).catch(() => {});
    await rotate(url(), seededToken);
    const page = await inspector.open("#/requests/1");
    const [lost, rejected] = await mock.requests();
    await expect.poll(() => why(page).textContent()).toBe(lost && whyOf(lost));
    await page.getByRole("link", { name: /^#2 / }).click();
    await expect.poll(() => why(page).textContent()).toBe(`unknown_token${rejected && whyOf(rejected)}`);
    expect(await why(page).textContent()).toMatch(/ by request 1\.$/);
  });

  it("shows the lifecycle of its group, with a link to each request", async () => {
    const { mock } = inspector;
    const { token } = (await create(url(), "acme")).body.user_group;
    await getOrCreate(url(), { user_group_id: "acme" });
    await getOrCreate(url(), { user_group_id: "acme" });
    const rotated = (await rotate(url(), token)).body.user_group.token;
    await rotate(url(), token);
    await mock.fault({ operation: "rotate", phase: "after", empty: true });
    await rotate(url(), rotated).catch(() => {});
    const page = await inspector.open("#/groups?team=3&group=acme");
    const steps = page.locator(".lifecycle li");
    await expect
      .poll(() => steps.allInnerTexts())
      .toEqual([
        "created #1",
        "found 2 times, last #3",
        "rotated #4",
        "stale token used #5",
        "rotated, but the response was lost #6",
      ]);
    await steps.last().getByRole("link").click();
    const entry = page.getByRole("article", { name: "Request 6" });
    await entry.waitFor();
    expect(await entry.locator(".lifecycle li").count()).toBe(5);
    expect(await entry.locator(".lifecycle [aria-current]").textContent()).toBe("#6");
  });

  it("lists the errors in a body", async () => {
    await create(url(), "acme", { name: 7, mapping: { "40": 1, "41": 2 } });
    const page = await inspector.open("#/requests/1");
    const errors = page.getByRole("list", { name: "Errors in the body" }).getByRole("listitem");
    await expect
      .poll(() => errors.allTextContents())
      .toEqual(["/name must be string", "/mapping/40 must be string", "/mapping/41 must be string"]);
    // The sentence above the list does not repeat them.
    const text = await why(page).textContent();
    expect(text?.match(/\/name must be string/g)).toHaveLength(1);
  });

  it("marks a syntax error in a JSON body", async () => {
    await getOrCreate(url(), '{"user_group_id": "a",\n "name": A}');
    await getOrCreate(url(), '{"user_group_id": "a"');
    const page = await inspector.open("#/requests/1");
    const body = page.getByRole("region", { name: "Request body" });
    await expect.poll(() => body.locator("mark").textContent()).toBe("A");
    await page.getByText("Invalid JSON at line 2, column 10.").waitFor();
    await page.getByRole("link", { name: /^#2 / }).click();
    await page.getByText("Unexpected end of JSON at line 1, column 22.").waitFor();
  });

  it("shows bodies raw or indented, and copies them", async () => {
    const sent = '{"user_group_id":"acme", "name":"Acme","properties":{"n":1.0}}';
    await getOrCreate(inspector.mock.url, sent);
    const page = await inspector.open("#/requests/1");
    const body = page.getByRole("region", { name: "Request body" });
    await expect.poll(() => body.textContent()).toContain('{\n  "user_group_id"');
    await page.getByRole("button", { name: "Raw request body" }).click();
    await expect.poll(() => body.textContent()).toBe(sent);
    await page.getByRole("button", { name: "Copy body of the request" }).click();
    await page.getByText("Copied the request body.").waitFor();
    expect(await inspector.copied(page)).toBe(sent);
    await page.getByRole("button", { name: "Copy body of the response" }).click();
    await page.getByText("Copied the response body.").waitFor();
    expect(JSON.parse(await inspector.copied(page))).toMatchObject({ success: 1, new_user_group: true });
  });

  it("shows the body of a request that was rejected with 401, with foreign tokens masked", async () => {
    const { mock } = inspector;
    const foreign = `${"f".repeat(60)}9876`;
    const apiToken = "production-token-1234";
    await getOrCreate(mock.url, { user_group_id: "acme", name: "Acme", api_token: foreign }, { apiToken });
    await rotate(mock.url, seededToken, { apiToken });
    const page = await inspector.open("#/requests/1");
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

  it("shows what an update changed, before and after", async () => {
    const { mock } = inspector;
    await mock.assume({ "existing-group": "updated" });
    await create(mock.url, "acme", { mapping: { "40": "1" } });
    await create(mock.url, "acme", { name: "Acme Ltd", mapping: { "40": "1" } });
    const [, updated] = await mock.requests();
    expect(updated?.changes).toEqual({ name: { before: "acme", after: "Acme Ltd" } });
    const page = await inspector.open("#/requests/2");
    const changes = page.getByRole("region", { name: "Changes" });
    await expect
      .poll(() => changes.getByRole("row").allTextContents())
      .toEqual(["FieldBeforeAfter", 'name"acme""Acme Ltd"']);
  });

  it("shows bodies character by character, and that a response was cut", async () => {
    await inspector.mock.fault({ truncate: true, phase: "after" });
    const sent =
      '{"user_group_id":"a","user_group_id":"b","name":"B","properties":{"n":1.0,"big":9007199254740993}}';
    await getOrCreate(url(), sent).catch(() => {});
    const page = await inspector.open("#/requests/1");
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("only part of the response was sent").waitFor();
    const body = await entry.getByRole("region", { name: "Request body" }).textContent();
    expect(body?.replace(/\s/g, "")).toBe(sent);
    const response = await entry.getByRole("region", { name: "Response body" }).textContent();
    expect(response).toMatch(/^\{"success":1,"new_user_group":true,[^}]*$/);
    const [{ notes } = { notes: [] }] = await inspector.mock.requests();
    await entry.getByText(notes.at(-1) ?? "no note").waitFor();
  });

  it("stays open when the world is reset, and its link leads to the same request", async () => {
    const { mock } = inspector;
    await create(mock.url, "first");
    const page = await inspector.open();
    await page.getByRole("link", { name: "#1" }).click();
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("first").first().waitFor();
    await mock.reset();
    await create(mock.url, "second");
    await entry.getByText("No longer in the journal: the world was reset at").waitFor();
    expect(await entry.getByText("first").count()).toBeGreaterThan(0);
    expect(await entry.getByText("second").count()).toBe(0);
    const again = await inspector.open(new URL(page.url()).hash);
    await again.getByRole("article", { name: "Request 1" }).getByText("first").first().waitFor();
    // The list shows the new test, and the earlier one as a section.
    await page.getByText("second").first().waitFor();
    await page.getByRole("link", { name: /before reset 1/ }).waitFor();
  });

  it("stays open when the journal is cleared", async () => {
    const { mock } = inspector;
    await create(mock.url, "first");
    const page = await inspector.open("#/requests/1");
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("first").first().waitFor();
    await mock.clearRequests();
    await entry.getByText("Removed from the journal at").waitFor();
    expect(await entry.getByText("first").count()).toBeGreaterThan(0);
  });

  it("is restored with the filter when the journal is opened again", async () => {
    const { mock } = inspector;
    await create(mock.url, "first");
    await create(mock.url, "second");
    const page = await inspector.open();
    await page.getByLabel("Filter requests").fill("second");
    await page.getByRole("link", { name: "#2" }).click();
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    await page.getByRole("link", { name: "Groups" }).click();
    await page.getByRole("row").filter({ hasText: "first" }).waitFor();
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    expect(await page.getByLabel("Filter requests").inputValue()).toBe("second");
  });
});
