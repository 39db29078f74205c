import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../call.js";
import { inspect } from "./inspected.js";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const widths = [320, 768, 1280, 1920];

describe("the layout of the inspector", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("ends the page where its content ends, with 300 groups and 40 faults", async () => {
    const { mock } = inspected;
    const user_groups = Array.from({ length: 300 }, (_, n) => ({
      team_id: 3,
      provided_id: `g${n}`,
      name: `Group ${n}`,
    }));
    await mock.load({ teams: [{ team_id: 3, api_tokens: ["test-api-token"] }], user_groups });
    for (let n = 0; n < 40; n++) await mock.fault({ status: 503, match: { user_group_id: `g${n}` } });
    for (const hash of ["#/groups", "#/faults", "#/assumptions", "#/worlds", "#/requests"]) {
      const page = await inspected.open(hash);
      await page.locator(".groups tr, .fault-card, .assumptions li, .tests tr, .empty").first().waitFor();
      const root = "document.documentElement";
      expect([hash, await page.evaluate(`${root}.scrollHeight - ${root}.clientHeight`)]).toEqual([hash, 0]);
      await page.close();
    }
  });

  it("has the close button of an earlier request in its corner, and a title that can be read", async () => {
    await rotate(url(), "stale");
    await inspected.mock.reset();
    for (const width of widths) {
      await inspected.look({ viewport: { width, height: 800 } });
      const page = await inspected.open("#/requests/1?epoch=1");
      await page.getByText("No longer in the journal").waitFor();
      const entry = await boxOf(page, ".entry");
      const close = await boxOf(page, ".entry .close");
      expect(entry.x + entry.width - (close.x + close.width), `${width} px`).toBeLessThan(40);
      expect((await boxOf(page, ".entry h2")).height, `${width} px`).toBeLessThan(40);
    }
  });

  it("shows the reason of a held request beside the button that releases it, and the name of its group", async () => {
    const held = await inspected.mock.hold();
    const answer = create(url(), "held-group");
    await held.arrived;
    for (const width of widths) {
      await inspected.look({ viewport: { width, height: 800 } });
      const page = await inspected.open();
      const button = await boxOf(page, ".release");
      for (const covered of [".row .words", ".row .group", ".row .id"]) {
        expect(overlaps(button, await boxOf(page, covered)), `${covered} at ${width} px`).toBe(false);
      }
      expect((await boxOf(page, ".row .group")).width, `${width} px`).toBeGreaterThan(50);
      if (width < 1280) continue;
      await page.locator(".row").click();
      await page.getByRole("article").waitFor();
      for (const covered of [".row .words", ".row .group"]) {
        const box = await boxOf(page, covered);
        expect(overlaps(await boxOf(page, ".row + .release"), box), `${covered} at ${width} px`).toBe(false);
      }
    }
    await held.release();
    await answer;
  });

  it("shows the tag of the row that is open", async () => {
    await create(url(), "acme");
    const page = await inspected.open("#/requests/1");
    await page.getByRole("article").waitFor();
    const colourOf = (selector: string) => styleOf(page, selector, "backgroundColor");
    expect(await colourOf(".row[aria-current] .tag")).not.toBe(await colourOf(".row[aria-current]"));
  });

  it("says that a group does not exist which a link leads to", async () => {
    const page = await inspected.open("#/groups?team=3&group=nobody");
    await page.getByText("Team 3 has no group nobody in this world.").waitFor();
    await page.getByRole("link", { name: "Show all groups" }).click();
    await page.getByText("Team 3 has no group").waitFor({ state: "detached" });
  });

  it("prints whole reasons, with the date", async () => {
    await create(url(), "acme", { name: 7, mapping: { "40": 213 } });
    const page = await inspected.open();
    await page.emulateMedia({ media: "print" });
    const row = page.locator(".row").first();
    await expect.poll(() => row.textContent()).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    const words = row.locator(".words");
    expect(await words.textContent()).toContain("/mapping/40 must be string");
    expect(await styleOf(page, ".row .words", "textWrapMode")).toBe("wrap");
    expect(await styleOf(page, ".row .words", "overflowX")).toBe("visible");
    await expect.poll(() => page.locator(".top").textContent()).toMatch(/\d{4}-\d\d-\d\d/);
  });

  it("shows times of day with 24 hours, and the keys of the view that is open", async () => {
    await create(url(), "acme");
    await inspected.mock.reset();
    await inspected.look({ locale: "en-US" });
    const page = await inspected.open("#/requests/1?epoch=1");
    await page.getByText(/the world was reset at \d\d:\d\d:\d\d\.$/).waitFor();
    const keys = () => page.getByRole("contentinfo").textContent();
    expect(await keys()).toMatch(/j\s*k\s*move/);
    for (const view of ["Faults", "Assumptions", "Tests", "Groups"]) {
      await page.getByRole("link", { name: view }).click();
      await expect.poll(keys, { message: view }).not.toMatch(/move/);
    }
    expect(await keys()).toContain("search");
  });

  it("ends a message with one full stop", async () => {
    const apiToken = "a-token-of-production";
    await rotate(url(), "stale", { apiToken, headers: { "X-Token": apiToken } });
    const page = await inspected.open("#/requests/1");
    await page.getByRole("button", { name: "Copy as curl" }).click();
    const message = page.locator(".said");
    await message.waitFor();
    expect(await message.textContent()).toMatch(/^Copied as curl\. .*[^.]\.$/);
    expect(await message.textContent()).not.toContain("..");
  });

  it("has all tools of the journal on one line from 1280 px on", async () => {
    // Counts of four digits take more room.
    for (let n = 0; n < 1_000; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => create(url(), `g${n + i}`)));
    }
    for (const width of [1280, 1920]) {
      await inspected.look({ viewport: { width, height: 800 } });
      const page = await inspected.open();
      await page.locator(".row").first().waitFor();
      const tops = await page
        .locator(".tools > :not(.gap, [popover])")
        .evaluateAll((tools) => tools.map((tool) => Math.round(tool.getBoundingClientRect().top / 10)));
      expect(new Set(tops).size, `${width} px`).toBe(1);
    }
  });

  function styleOf(page: Page, selector: string, name: string): Promise<unknown> {
    return page.evaluate(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(name)}]`,
    );
  }

  function overlaps(a: Box, b: Box): boolean {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  }

  async function boxOf(page: Page, selector: string) {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not visible.`);
    return box;
  }
});
