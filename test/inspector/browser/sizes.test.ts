import type { Locator, Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

/** Whether the row of a request is in the visible part of the list. */
async function isInView(page: Page, id: number): Promise<boolean> {
  const row = await page.getByRole("link", { name: new RegExp(`^#${id} `) }).boundingBox();
  const list = await page.locator(".rows").boundingBox();
  if (row === null || list === null) throw new Error(`There is no row ${id}.`);
  return row.y >= list.y && row.y + row.height <= list.y + list.height;
}

describe("the inspector on other screens, and with many requests", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("on a phone, shows the list, then a request over the whole screen with a way back", async () => {
    await create(url(), "acme");
    await rotate(url(), "unknown");
    await inspector.newContext({ viewport: { width: 390, height: 740 } });
    const page = await inspector.open();
    await page.getByRole("link", { name: /^#2 404 rotate/ }).click();
    const detail = page.getByRole("article", { name: "Request 2" });
    await detail.waitFor();
    expect(await detail.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 740 });
    await detail.getByRole("link", { name: "Back" }).click();
    await page.getByRole("link", { name: /^#1 200/ }).click();
    await page.getByRole("article", { name: "Request 1" }).getByRole("link", { name: "Back" }).click();
    // The focus returns to its row.
    await expect.poll(() => page.evaluate("document.activeElement.innerText")).toContain("#1");
    await page.getByRole("tab", { name: /^Groups/ }).click();
    await page.getByRole("row", { name: /^acme/ }).waitFor();
    await page.getByRole("tab", { name: /^Assumptions/ }).click();
    await page.getByText("Assumed and used here").waitFor();
    await inspector.mock.world("other").reset({ label: "another test" });
    // The list of tests is closed, and shows the chosen one.
    const tests = page.getByRole("region", { name: "Tests" });
    const another = tests.getByRole("link", { name: "another test 0 requests" });
    const chosen = tests.getByRole("button", { name: "default 2 tests", expanded: false });
    await chosen.waitFor();
    expect(await another.isVisible()).toBe(false);
    await chosen.click();
    await another.click();
    await page.getByText("No requests yet").waitFor();
    await tests.getByRole("button", { name: "another test 2 tests", expanded: false }).waitFor();
    expect(await another.isVisible()).toBe(false);
  });

  it("on a phone, a report shows its whole title and its cause above the list, and the request below it", async () => {
    await rotate(url(), "unknown");
    await inspector.newContext({ viewport: { width: 390, height: 740 } });
    const title = "rotates the key of a customer who has never signed in since the last rotation";
    const page = await inspector.openReport(inspector.mock, { title, error: "HTTP 404" });
    const heading = page.getByRole("heading", { name: title });
    expect(await heading.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText("Likely cause: #1 rotate was rejected with 404").waitFor();
    const row = await page.getByRole("region", { name: "Requests" }).getByRole("link").boundingBox();
    const detail = page.getByRole("article", { name: "Request 1" });
    expect((await detail.boundingBox())?.y).toBeGreaterThan(row?.y ?? 0);
    const copy = await detail.getByRole("button", { name: "Copy as curl" }).boundingBox();
    expect((copy?.y ?? 0) + (copy?.height ?? 0)).toBeLessThanOrEqual(740);
    await verdict.getByRole("link", { name: "#1" }).click();
    await expect.poll(async () => (await detail.boundingBox())?.y).toBe(0);
  });

  it("opens the list of a report at the request that matters", async () => {
    await getOrCreate(url(), { user_group_id: 5 });
    for (let n = 0; n < 60; n++) await create(url(), `group-${n}`);
    const page = await inspector.openReport(inspector.mock, {
      title: "creates",
      error: new Error("HTTP 400 invalid_body"),
    });
    await page.getByRole("article", { name: "Request 1" }).waitFor();
    expect(await isInView(page, 1)).toBe(true);
    expect(await isInView(page, 61)).toBe(false);
  });

  it("gives the group the free space, and never cuts its end or a status, or wraps a number", async () => {
    const id = "customer-of-the-northern-region";
    // Widths are rounded.
    const isCut = (part: Locator) => part.evaluate((one) => one.scrollWidth > one.clientWidth + 1);
    await rotate(url(), "unknown");
    await create(url(), `${"x".repeat(60)}-2`);
    for (let n = 0; n < 99; n++) await create(url(), id);
    const page = await inspector.open("#/requests/101");
    const row = page.getByRole("link", { name: /^#101 200 get-or-create/ });
    const rejected = page.getByRole("link", { name: /^#1 404 rotate/ });
    for (const part of [row.locator("b"), rejected.locator(".code")]) expect(await isCut(part)).toBe(false);
    const long = page.getByRole("link", { name: /^#2 200 get-or-create/ }).locator("b");
    expect(await isCut(long)).toBe(true);
    const end = (part: Locator) => part.evaluate((one) => Math.round(one.getBoundingClientRect().right));
    expect(await end(long.locator("bdi"))).toBe(await end(long));
    const { height } = (await row.getByText("#101").boundingBox()) ?? {};
    expect(height).toBeLessThan(25);
    await inspector.newContext({ viewport: { width: 390, height: 740 } });
    const phone = await inspector.open();
    expect(await isCut(phone.getByRole("link", { name: /^#101 / }).locator("b"))).toBe(false);
  });

  it("stays responsive while 1,000 requests arrive, follows them at its end, and else keeps what the reader looks at", async () => {
    await create(url(), "first");
    const page = await inspector.open();
    const session = await page.context().newCDPSession(page);
    // Processor time, because machines are noisy.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const rows = page.locator(".rows");
    for (let n = 0; n < 100; n++) {
      await Promise.all(Array.from({ length: 10 }, (_, i) => create(url(), `group-${n}-${i}`)));
      if (n === 50) {
        await page.getByRole("link", { name: /^#511 / }).waitFor();
        const belowView = () => rows.evaluate((all) => all.scrollHeight - all.scrollTop - all.clientHeight);
        await expect.poll(belowView).toBeLessThan(10);
        await page.getByRole("link", { name: /^#480 / }).click();
        await page.getByRole("article", { name: "Request 480" }).waitFor();
        expect(await isInView(page, 480)).toBe(true);
        await rows.evaluate((element) => element.scrollTo(0, 0));
      }
    }
    await page.getByRole("tab", { name: "Requests 1,001" }).waitFor();
    const { metrics } = await session.send("Performance.getMetrics");
    const busySeconds = metrics.find(({ name }) => name === "TaskDuration")?.value;
    expect(busySeconds).toBeLessThan(6);
    await page.getByText("1 older request of 1,001 was dropped").waitFor();
    expect(await rows.evaluate((element) => element.scrollTop)).toBe(0);
    expect(await page.locator(".row").count()).toBe(1_000);
  });
});
