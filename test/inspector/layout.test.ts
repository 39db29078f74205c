import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../call.js";
import { inspect } from "./inspected.js";

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
      await page.locator(".groups tr, .armed li, .assumptions li, .worlds tr, .empty").first().waitFor();
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

  async function boxOf(page: Page, selector: string) {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not visible.`);
    return box;
  }
});
