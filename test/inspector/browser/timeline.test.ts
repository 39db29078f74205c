import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

const rowsOf = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");

describe("inspector timeline", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("shows overlaps, holds, retries and the time between requests", async () => {
    const { mock } = inspector;
    await mock.fault({ status: 503 });
    await create(url(), "acme");
    await create(url(), "acme");
    const held = await mock.hold();
    const first = create(url(), "held");
    await held.arrived;
    await create(url(), "meanwhile");
    const page = await inspector.open();
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
    // The URL contains the timeline.
    await page.reload();
    await page.locator(".bar").first().waitFor();
  });

  it("cuts off the bar of a long hold, has an axis, and zooms", async () => {
    const { mock } = inspector;
    const held = await mock.hold({ match: { user_group_id: "held" } });
    const first = create(url(), "held");
    await held.arrived;
    await mock.fault({ delayMs: 20, times: "always" });
    for (let n = 0; n < 6; n++) await create(url(), `g${n}`);
    // The hold lasts much longer than the other requests.
    const page = await inspector.open("#/requests?timeline");
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

  it("marks only equal requests as retries", async () => {
    const { mock } = inspector;
    // These bodies differ, and the mock does not read them.
    await rotate(url(), "stale", { headers: { "Content-Type": "text/plain" } });
    await rotate(url(), "other", { headers: { "Content-Type": "text/plain" } });
    await create(url(), "acme", { name: 7 });
    await create(url(), "acme");
    await rotate(url(), "stale");
    await rotate(url(), "stale");
    await mock.reset({ label: "next" });
    await create(url(), "one");
    const page = await inspector.open("#/requests?timeline&epoch=1");
    await page.locator(".row[data-key='1/6'] .bar").waitFor();
    await expect.poll(() => page.locator(".row .track .tag").allTextContents()).toEqual(["retry of #5"]);
    expect(await page.locator(".row[data-key='1/6'] .track .tag").count()).toBe(1);
  });
});
