import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("inspector scroll position", () => {
  const inspector = useInspector();

  it.each([
    // Beside an open request, the rows of a list below 640 px have two lines.
    { width: 1280, id: 190, heightBeside: 58 },
    { width: 360, id: 190, heightBeside: undefined },
    { width: 1920, id: 190, heightBeside: 36 },
  ])("keeps the clicked row in its position when it opens and closes: $width px", async (example) => {
    const { width, id, heightBeside } = example;
    const { mock } = inspector;
    for (let n = 0; n < 400; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => create(mock.url, `g${n + i}`)));
    }
    await inspector.newContext({ viewport: { width, height: 800 } });
    const page = await inspector.open();
    const row = rowOf(page, id);
    await page.locator(".row").first().waitFor();
    await page
      .locator(".journal-list")
      .evaluate((list, above) => list.scrollTo(0, (list.scrollHeight * above) / 400), 400 - id - 5);
    await row.waitFor();
    const before = await topOf(page, id);
    await row.click();
    await page.getByRole("article", { name: `Request ${id}` }).waitFor();
    // On a phone the list is hidden while a request is open.
    if (heightBeside !== undefined) {
      // A key that is pressed before the list has its new width would make the next row the one that stays.
      await expect.poll(async () => (await rowOf(page, id).boundingBox())?.height).toBe(heightBeside);
      await expect.poll(() => topOf(page, id)).toBe(before);
    }
    await page.keyboard.press("j");
    await page.getByRole("article", { name: `Request ${id - 1}` }).waitFor();
    if (heightBeside !== undefined) {
      await expect.poll(() => topOf(page, id)).toBe(before);
      await expect.poll(() => topOf(page, id - 1)).toBe((before ?? 0) + heightBeside);
    }
    const moved = await topOf(page, id - 1);
    await page.keyboard.press("Escape");
    await page.getByRole("article").waitFor({ state: "detached" });
    if (heightBeside !== undefined) await expect.poll(() => topOf(page, id - 1)).toBe(moved);
    // The row is in the window and has the focus.
    await expect.poll(() => rowOf(page, id - 1).isVisible()).toBe(true);
    await expect.poll(() => page.evaluate("document.activeElement.innerText")).toContain(`#${id - 1}`);
    expect(await topOf(page, id - 1)).toBeLessThan(800);
    expect(await topOf(page, id - 1)).toBeGreaterThan(40);
  });

  it("scrolls a row into view that the cursor moves to", async () => {
    for (let n = 0; n < 60; n++) await create(inspector.mock.url, `g${n}`);
    const page = await inspector.open("#/requests/60");
    await page.getByRole("article", { name: "Request 60" }).waitFor();
    for (let n = 59; n > 30; n--) {
      await page.keyboard.press("j");
      await page.getByRole("article", { name: `Request ${n}`, exact: true }).waitFor();
    }
    const box = await rowOf(page, 31).boundingBox();
    const list = await page.locator(".journal-list").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0) + 1);
  });

  function rowOf(page: Page, id: number) {
    return page.locator(`.row[data-key$="/${id}"]`);
  }

  async function topOf(page: Page, id: number): Promise<number | undefined> {
    const box = await rowOf(page, id)
      .boundingBox({ timeout: 1_000 })
      .catch(() => undefined);
    return box ? Math.round(box.y) : undefined;
  }
});
