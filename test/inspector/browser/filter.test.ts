import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

const rowsOf = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");

describe("inspector filter", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("filters by text, operation and outcome, and keeps the filter in the URL", async () => {
    await getOrCreate(url(), { user_group_id: "apple", name: "A" });
    await getOrCreate(url(), { user_group_id: "pear", name: "P" });
    await rotate(url(), "unknown");
    const page = await inspector.open();
    const rows = page.getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByLabel("Filter requests").fill("pear");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("pear")]);
    await page.reload();
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("pear")]);
    await page.getByLabel("Filter requests").fill("");
    await page.getByLabel("Operation").selectOption("rotate");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("#3")]);
    await page.getByLabel("Operation").selectOption("all operations");
    await page.getByText("success 2").click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText("pending 0").click();
    await page.getByText("No match in 3 requests").waitFor();
  });

  it("filters by fields, phrases and words, and excludes terms with a minus", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await create(url(), "other");
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspector.open();
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
  });

  it("reports unknown fields and lists the known ones", async () => {
    await create(url(), "acme");
    const page = await inspector.open();
    const filter = page.getByLabel("Filter requests");
    await filter.fill("statuss:404");
    await page.getByText("statuss is not a field. Fields: id, status, group").waitFor();
    await filter.fill("statuss:404 colour:red");
    await page.getByText("statuss, colour are not fields.").waitFor();
    // A URL is not a field.
    await filter.fill("http://localhost status:200");
    await page.getByText("not a field").waitFor({ state: "detached" });
  });

  it("has a help whose examples all work", async () => {
    await create(url(), "acme");
    const page = await inspector.open();
    await page.getByRole("button", { name: "Help for the filter" }).click();
    const help = page.locator("#filter-help");
    await help.getByText("the HTTP status; status:4xx for a range").waitFor();
    const examples = await help.locator("code").allTextContents();
    expect(examples.length).toBeGreaterThan(10);
    await page.keyboard.press("Escape");
    await expect.poll(() => help.isVisible()).toBe(false);
    await page.getByLabel("Filter requests").fill(examples.join(" "));
    await page.getByText("No match in 1 request.").waitFor();
    expect(await page.getByText("not a field").count()).toBe(0);
  });

  it("counts the matching requests for each outcome", async () => {
    await create(url(), "acme");
    await create(url(), "other");
    await rotate(url(), "stale");
    const page = await inspector.open();
    const chips = () => page.locator(".choices").textContent();
    await expect.poll(chips).toContain("all 3success 2failure 1");
    await page.getByLabel("Filter requests").fill("group:acme");
    await expect.poll(chips).toContain("all 1success 1failure 0");
    await page.getByText("failure 0").click();
    // The counts do not depend on the chosen outcome.
    await expect.poll(chips).toContain("all 1success 1failure 0");
  });

  it("counts the matching requests of a collapsed test", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "first test" });
    await create(url(), "acme");
    await create(url(), "other");
    await mock.reset({ label: "second test" });
    await create(url(), "other");
    await mock.reset({ label: "third test" });
    const page = await inspector.open();
    await page.getByRole("link", { name: /first test\s*2 requests/ }).waitFor();
    await page.getByLabel("Filter requests").fill("group:acme");
    await page.getByRole("link", { name: /first test\s*1 of 2 requests matches/ }).waitFor();
    await page.getByRole("link", { name: /second test\s*0 of 1 request match/ }).waitFor();
    await page.getByLabel("Filter requests").fill("");
    await page.getByRole("link", { name: /first test\s*2 requests/ }).waitFor();
  });
});
