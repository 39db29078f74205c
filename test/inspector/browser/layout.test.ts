import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const widths = [320, 768, 1280, 1920];

describe("inspector layout", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("does not scroll the page itself, with 300 groups and 40 faults", async () => {
    const { mock } = inspector;
    const user_groups = Array.from({ length: 300 }, (_, n) => ({
      team_id: 3,
      provided_id: `g${n}`,
      name: `Group ${n}`,
    }));
    await mock.load({ teams: [{ team_id: 3, api_tokens: ["test-api-token"] }], user_groups });
    for (let n = 0; n < 40; n++) await mock.fault({ status: 503, match: { user_group_id: `g${n}` } });
    for (const hash of ["#/groups", "#/faults", "#/assumptions", "#/worlds", "#/requests"]) {
      const page = await inspector.open(hash);
      await page.locator(".groups tr, .fault-card, .assumptions li, .tests tr, .empty").first().waitFor();
      const root = "document.documentElement";
      expect([hash, await page.evaluate(`${root}.scrollHeight - ${root}.clientHeight`)]).toEqual([hash, 0]);
      await page.close();
    }
  });

  it("has the close button in the corner, and the title of an entry on one line", async () => {
    await rotate(url(), "stale");
    await inspector.mock.reset();
    for (const width of widths) {
      await inspector.newContext({ viewport: { width, height: 800 } });
      const page = await inspector.open("#/requests/1?epoch=1");
      await page.getByText("No longer in the journal").waitFor();
      const entry = await boxOf(page, ".entry");
      const close = await boxOf(page, ".entry .close");
      expect(entry.x + entry.width - (close.x + close.width), `${width} px`).toBeLessThan(40);
      expect((await boxOf(page, ".entry h2")).height, `${width} px`).toBeLessThan(40);
    }
  });

  it("does not cover summary and group of a held request with the release button", async () => {
    const held = await inspector.mock.hold();
    const response = create(url(), "held-group");
    await held.arrived;
    for (const width of widths) {
      await inspector.newContext({ viewport: { width, height: 800 } });
      const page = await inspector.open();
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
    await response;
  });

  it("has a visible tag in the open row", async () => {
    await create(url(), "acme");
    const page = await inspector.open("#/requests/1");
    await page.getByRole("article").waitFor();
    const colourOf = (selector: string) => styleOf(page, selector, "backgroundColor");
    expect(await colourOf(".row[aria-current] .tag")).not.toBe(await colourOf(".row[aria-current]"));
  });

  it("prints whole summaries with the date", async () => {
    await create(url(), "acme", { name: 7, mapping: { "40": 213 } });
    const page = await inspector.open();
    await page.emulateMedia({ media: "print" });
    const row = page.locator(".row").first();
    await expect.poll(() => row.textContent()).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    const words = row.locator(".words");
    expect(await words.textContent()).toContain("/mapping/40 must be string");
    expect(await styleOf(page, ".row .words", "textWrapMode")).toBe("wrap");
    expect(await styleOf(page, ".row .words", "overflowX")).toBe("visible");
    await expect.poll(() => page.locator(".top").textContent()).toMatch(/\d{4}-\d\d-\d\d/);
  });

  it("prints every row, or the whole open entry", async () => {
    for (let n = 0; n < 80; n++) await create(url(), `g${n}`);
    const page = await inspector.open();
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.getByRole("listitem").count()).toBe(80);
    expect(await page.getByRole("button", { name: "Reset" }).isVisible()).toBe(false);
    const last = await page.getByRole("listitem").last().boundingBox();
    expect(last?.y).toBeGreaterThan(1_500);
    await page.goto(`${url()}/__admin/#/requests/1?epoch=1`);
    await page.getByRole("article", { name: "Request 1" }).getByText('"g0"').first().waitFor();
    expect(await page.locator(".journal-list").isVisible()).toBe(false);
  });

  it("shows times with 24 hours, and only the keys of the open view", async () => {
    await create(url(), "acme");
    await inspector.mock.reset();
    await inspector.newContext({ locale: "en-US" });
    const page = await inspector.open("#/requests/1?epoch=1");
    await page.getByText(/the world was reset at \d\d:\d\d:\d\d\.$/).waitFor();
    const keys = () => page.getByRole("contentinfo").textContent();
    expect(await keys()).toMatch(/j\s*k\s*move/);
    for (const view of ["Faults", "Assumptions", "Tests", "Groups"]) {
      await page.getByRole("link", { name: view }).click();
      await expect.poll(keys, { message: view }).not.toMatch(/move/);
    }
    expect(await keys()).toContain("search");
  });

  it("has all tools of the journal on one line from 1280 px on", async () => {
    // Counts of four digits are wider.
    for (let n = 0; n < 1_000; n += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, i) => create(url(), `g${n + i}`)));
    }
    for (const width of [1280, 1920]) {
      await inspector.newContext({ viewport: { width, height: 800 } });
      const page = await inspector.open();
      await page.locator(".row").first().waitFor();
      const tops = await page
        .locator(".tools > :not(.gap, [popover])")
        .evaluateAll((tools) => tools.map((tool) => Math.round(tool.getBoundingClientRect().top / 10)));
      expect(new Set(tops).size, `${width} px`).toBe(1);
    }
  });

  it("is not wider than the window if a name is long", async () => {
    await create(url(), "x".repeat(2_000), { name: "n".repeat(95_000) });
    for (const width of [1080, 1160, 1500]) {
      await inspector.newContext({ viewport: { width, height: 700 } });
      const page = await inspector.open("#/groups");
      await page.locator(".groups tbody tr").nth(5).waitFor();
      expect(
        await page.evaluate("document.querySelector('.scroll').scrollWidth"),
        String(width),
      ).toBeLessThanOrEqual(width);
      await page.close();
    }
  });

  it("has a divider that is moved by dragging or with keys, and keeps its position", async () => {
    await create(url(), "acme");
    const page = await inspector.open("#/requests/1");
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
