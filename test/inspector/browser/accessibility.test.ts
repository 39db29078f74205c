import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { untilHeld, useInspector, violations } from "../use-inspector.js";

/** Light and dark, with and without forced colours, from 400 % zoom to a wide screen. */
const modes = [
  { colorScheme: "light", forcedColors: "active", width: 320, height: 256 },
  { colorScheme: "dark", forcedColors: "none", width: 390, height: 740 },
  { colorScheme: "light", forcedColors: "none", width: 390, height: 740 },
  { colorScheme: "light", forcedColors: "none", width: 768, height: 900 },
  { colorScheme: "dark", forcedColors: "none", width: 1024, height: 700 },
  { colorScheme: "light", forcedColors: "none", width: 1440, height: 900 },
  { colorScheme: "dark", forcedColors: "none", width: 1440, height: 900 },
] as const;

/** Each view, and an element that is there when it is complete. */
const views = {
  "#/requests": ".row",
  "#/requests/2": ".body",
  "#/requests/4": ".why button",
  "#/requests/5": "mark",
  "#/requests?world=default&epoch=1": ".row",
  "#/groups": ".groups td",
  "#/faults": ".faults",
  "#/assumptions/unknown-fields": ".ledger [aria-current]",
  "#/requests?world=never": ".empty",
};

describe("accessibility of the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it.each(modes)(
    "axe finds nothing in any view: $colorScheme, forced colors $forcedColors, $width × $height",
    async ({ width, height, ...media }) => {
      await fillWorld();
      await inspector.newContext({ viewport: { width, height }, ...media });
      const page = await inspector.open();
      for (const [hash, expected] of Object.entries(views)) {
        await page.goto(`${url()}/__admin/${hash}`);
        await page.locator(expected).first().waitFor();
        await check(page, width, hash);
      }
      await page.goto(`${url()}/__admin/#/requests`);
      await page.getByRole("button", { name: "Fail next" }).click();
      await check(page, width, "menu");
      await page.close();
      await check(await openReport(), width, "report");
    },
  );

  async function check(page: Page, width: number, view: string): Promise<void> {
    expect(await violations(page), view).toEqual([]);
    // Nothing is wider than the screen.
    expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBe(width);
  }

  async function openReport(): Promise<Page> {
    const page = await inspector.openReport(inspector.mock, {
      title: "a test that failed",
      file: "groups.test.js",
      framework: "vitest",
      error: new Error("expected a to equal b"),
    });
    await page.getByRole("region", { name: "Verdict" }).waitFor();
    return page;
  }

  /** An earlier test, and one with rejections, a fault, a held request, long names and a changed assumption. */
  async function fillWorld(): Promise<void> {
    const { mock } = inspector;
    await rotate(url(), "stale");
    await mock.reset({
      label: "a test with a name that is longer than most, so that it does not fit on a phone",
    });
    await create(url(), "a", { name: "A".repeat(80), mapping: { "40": "x".repeat(90) }, propertys: 1 });
    await rotate(url(), "b".repeat(64));
    await mock.fault({ status: 503, match: { user_group_id: "a" } });
    await getOrCreate(url(), { user_group_id: "a" });
    await mock.fault({ hold: true });
    getOrCreate(url(), { user_group_id: "held", name: "Held" }).catch(() => {});
    await untilHeld(mock, 1);
    await getOrCreate(url(), { user_group_id: 5, mapping: { 40: 1 }, properties: { long: "x".repeat(300) } });
    await mock.fault({ status: 500, match: { user_group_id: "never" } });
    await mock.assume({ "created-status": "201" });
  }
});
