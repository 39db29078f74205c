import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("keys of the inspector", () => {
  const inspector = useInspector();

  const open = (page: Page, id: number) => page.getByRole("article", { name: `Request ${id}` }).waitFor();

  it("j and k open the next and the previous request, n the next rejected one, Esc closes it, / searches", async () => {
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
    await open(page, 3);
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
    await open(page, 1);
  });

  it("reaches the first row with at most eight Tabs, also below a button for earlier ones", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "another test" });
    for (let n = 0; n < 200; n++) await create(mock.url, `earlier-${n}`);
    await rotate(mock.url, "unknown");
    await mock.fault({ operation: "rotate", status: 500 });
    const page = await inspector.open();
    await page.getByRole("button", { name: "Remove fault 1" }).waitFor();
    await page.getByRole("button", { name: /^Show 1 earlier/ }).waitFor();
    const isRow = () => page.evaluate(`document.activeElement.matches(".row")`);
    let tabs = 0;
    for (; tabs <= 8 && !(await isRow()); tabs++) await page.keyboard.press("Tab");
    expect(tabs).toBeLessThanOrEqual(8);
  });

  it("reaches the first request with at most eight Tabs, moves the focus to what is opened, and back with Esc", async () => {
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
    await page.keyboard.press("Enter");
    await open(page, 1);
    await expect
      .poll(() => page.evaluate(`document.activeElement.getAttribute("aria-label")`))
      .toBe("Request 1");
    await page.keyboard.press("Escape");
    await expect.poll(isRow).toBe(true);
    expect(await focused()).toContain("#1");
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
