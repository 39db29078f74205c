import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("keys of the inspector", () => {
  const inspector = useInspector();

  const open = (page: Page, id: number) => page.getByRole("article", { name: `Request ${id}` }).waitFor();

  it("j and k open the next and the previous request, n the next rejected one, Esc closes it, / searches", async () => {
    const { url } = inspector.mock;
    await rotate(url, "unknown");
    await create(url, "a");
    await create(url, "b");
    const page = await inspector.open();
    await page.getByRole("link", { name: /^#3 / }).waitFor();
    // Faster than the page is rendered.
    await page.evaluate(
      `for (let n = 0; n < 2; n++) dispatchEvent(new KeyboardEvent("keydown", { key: "j" }))`,
    );
    await open(page, 2);
    await page.keyboard.press("k");
    await open(page, 3);
    await page.keyboard.press("n");
    await open(page, 1);
    await page.keyboard.press("Escape");
    await page.getByRole("article").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("jkn");
    const search = page.getByRole("searchbox", { name: "Search requests" });
    expect(await search.inputValue()).toBe("jkn");
    await page.keyboard.press("Escape");
    expect(await search.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await open(page, 3);
  });

  it("Esc closes a menu and returns to its button", async () => {
    const page = await inspector.open();
    const button = page.getByRole("button", { name: "Fail next" });
    await button.press("Enter");
    await page.getByRole("button", { name: "rotation → 503" }).focus();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "rotation → 503" }).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Fail next");
  });
});
