import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("keys of the inspector", () => {
  const inspector = useInspector();

  const open = (page: Page, id: number) => page.getByRole("article", { name: `Request ${id}` }).waitFor();
  const focusedLabel = (page: Page) => page.evaluate(`document.activeElement.getAttribute("aria-label")`);

  it("j and k open the next and the previous request, / searches, and there are no others", async () => {
    const { url } = inspector.mock;
    await create(url, "a");
    await create(url, "b");
    await rotate(url, "unknown");
    const page = await inspector.open();
    await page.getByRole("link", { name: /^#3 / }).waitFor();
    // Faster than the page is rendered.
    await page.evaluate(
      `for (let n = 0; n < 2; n++) dispatchEvent(new KeyboardEvent("keydown", { key: "j" }))`,
    );
    await open(page, 2);
    await page.keyboard.press("k");
    await open(page, 1);
    await page.keyboard.press("n");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await open(page, 2);
    await page.keyboard.press("/");
    await page.keyboard.type("jkn");
    const search = page.getByRole("searchbox", { name: "Search requests" });
    expect(await search.inputValue()).toBe("jkn");
    expect(await search.getAttribute("title")).toBe("/ search, j next request, k previous request");
  });

  it("reaches the first request with at most eight Tabs, and moves the focus to what is opened, also again", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "another test" });
    await create(mock.url, "a");
    await rotate(mock.url, "unknown");
    for (const status of [500, 502]) await mock.fault({ operation: "rotate", status });
    const page = await inspector.open();
    await page.getByRole("button", { name: "Remove fault 2" }).waitFor();
    const focused = () => page.evaluate("document.activeElement.innerText") as Promise<string>;
    const isRow = () => page.evaluate(`document.activeElement.matches(".row")`);
    let tabs = 0;
    for (; tabs <= 8 && !(await isRow()); tabs++) await page.keyboard.press("Tab");
    expect(tabs).toBeLessThanOrEqual(8);
    expect(await focused()).toContain("#1");
    for (let times = 0; times < 2; times++) {
      await page.getByRole("link", { name: /^#1 / }).press("Enter");
      await open(page, 1);
      await expect.poll(() => focusedLabel(page)).toBe("Request 1");
    }
  });

  it("shows the focus wherever it is", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "another test" });
    const { token } = (await create(mock.url, "a")).body.user_group;
    await rotate(mock.url, token);
    await rotate(mock.url, token);
    await mock.fault({ operation: "rotate", status: 500 });
    for (const view of ["requests/3", "groups", "faults", "assumptions/old-token"]) {
      const page = await inspector.open(`#/${view}`);
      await page.locator(".detail .body, .view").first().waitFor();
      const rings = new Map<string, string>();
      for (let tabs = 0; tabs < 40; tabs++) {
        const [element, ring] = (await page.evaluate(focusRing)) as [string, string];
        rings.set(element, ring);
        if (tabs > 0 && ring === "") break;
        await page.keyboard.press("Tab");
      }
      const invisible = [...rings].filter(([, ring]) => ring !== "" && ring !== "2px");
      expect(invisible, view).toEqual([]);
      await page.close();
    }
  });

  it("arrow keys open the view beside", async () => {
    const page = await inspector.open();
    await page.getByRole("tab", { name: "Requests" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: /^Groups/, selected: true }).waitFor();
    expect(await page.evaluate("document.activeElement.innerText")).toContain("Groups");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("tab", { name: "Requests", selected: true }).waitFor();
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

/**
 * The focused element, and the width of the outline of it, of its label, or of its heading; empty at the end of the page.
 * "cut": a box that scrolls, or is not painted outside of itself, hides a part of the outline.
 */
const focusRing = `(() => {
  const { activeElement: focused, body } = document;
  return [focused.outerHTML.slice(0, 200), focused === body ? "" : ringOf(focused)];

  function ringOf(focused) {
    const shown = focused.closest("label") ?? focused.querySelector(":scope.detail > header") ?? focused;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(shown);
    if (outlineStyle === "none") return "none";
    const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    const box = shown.getBoundingClientRect();
    for (let around = shown.parentElement; around !== null; around = around.parentElement) {
      const { overflowX, contentVisibility } = getComputedStyle(around);
      if (overflowX === "visible" && contentVisibility === "visible") continue;
      const frame = around.getBoundingClientRect();
      if (box.left - reach < frame.left - 0.5 || box.right + reach > frame.right + 0.5) return "cut";
    }
    return outlineWidth;
  }
})()`;
