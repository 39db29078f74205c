import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

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
    await page.getByRole("article", { name: "Request 1" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "View" }).selectOption("groups");
    await page.getByRole("row", { name: /^acme/ }).waitFor();
    await inspector.mock.world("other").reset({ label: "another test" });
    const tests = page.getByRole("combobox", { name: "Test" });
    await expect.poll(() => tests.locator("option").allInnerTexts()).toContain("another test · 0 requests");
    await tests.selectOption({ label: "another test · 0 requests" });
    await page.getByText("No requests yet").waitFor();
  });

  it("on a phone, a report shows its cause above the list", async () => {
    await rotate(url(), "unknown");
    await inspector.newContext({ viewport: { width: 390, height: 740 } });
    const page = await inspector.openReport(inspector.mock, { title: "rotates" });
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText("Likely cause: #1 rotate was rejected with 404").waitFor();
    expect(await page.getByRole("article").isVisible()).toBe(false);
    await verdict.getByRole("link", { name: "#1" }).click();
    await page.getByRole("article", { name: "Request 1" }).waitFor();
  });

  it("stays responsive while 1,000 requests arrive, and keeps what the reader looks at in place", async () => {
    await create(url(), "first");
    const page = await inspector.open();
    await page.evaluate(`window.longest = 0;
      (function tick(before) { requestAnimationFrame((now) => {
        window.longest = Math.max(window.longest, now - before); tick(now);
      }); })(performance.now());`);
    for (let n = 0; n < 100; n++) {
      await Promise.all(Array.from({ length: 10 }, (_, i) => create(url(), `group-${n}-${i}`)));
      if (n === 50) {
        await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 3_000));
      }
    }
    await page.getByRole("link", { name: "Requests 1,001" }).waitFor();
    // A frame of a second would be felt. Machines are noisy, so there is much room.
    expect(await page.evaluate("window.longest")).toBeLessThan(1_000);
    expect(await page.locator(".row").count()).toBeLessThan(100);
    const top = await page.locator(".rows").evaluate((rows) => rows.scrollTop);
    expect(top).toBeGreaterThan(3_000);
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 0));
    await page.getByRole("link", { name: /^#1001 / }).waitFor();
    await page.getByText("1 older request of 1,001 was dropped").waitFor();
  });
});
