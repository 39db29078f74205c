import type { Page } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

const rowsOf = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");
const why = (page: Page) => page.getByRole("region", { name: "Why" });

describe("inspector keyboard shortcuts", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("focus the filter, move between rows, and open and close entries", async () => {
    for (const id of ["a", "b", "c"]) await getOrCreate(url(), { user_group_id: id, name: "N" });
    const page = await inspector.open();
    await page.getByRole("link", { name: "#3" }).waitFor();
    const focused = () => page.evaluate("document.activeElement.innerText.split('\\n')[0]");
    await page.keyboard.press("/");
    await page.keyboard.type("get-or");
    expect(await page.getByLabel("Filter requests").inputValue()).toBe("get-or");
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("Filter requests").inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("#3");
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("#2");
    await page.keyboard.press("k");
    await expect.poll(focused).toBe("#3");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Request 3" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("article").waitFor({ state: "detached" });
    await expect.poll(focused).toBe("#2");
  });

  it("go to the next failure with n, also in an earlier test", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "failed test" });
    await rotate(url(), "stale");
    await mock.reset({ label: "this test" });
    await create(url(), "one");
    await rotate(url(), "stale");
    await create(url(), "two");
    await rotate(url(), "stale");
    await create(url(), "three");
    const page = await inspector.open();
    await rowsOf(page).first().waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent");
    for (const expected of ["#4", "#2", "failed test", "#4"]) {
      await page.keyboard.press("n");
      await expect.poll(focused).toContain(expected);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Request 4" }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("article", { name: "Request 2" }).waitFor();
  });

  it("report that no request failed", async () => {
    await create(url(), "one");
    const page = await inspector.open();
    await rowsOf(page).first().waitFor();
    await page.keyboard.press("n");
    await page.getByText("No request failed.").waitFor();
  });

  it("lead from a failed request to its cause", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspector.open();
    await rowsOf(page).first().waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.innerText")).toContain("#3");
    await page.keyboard.press("Enter");
    const link = why(page).getByRole("link", { name: "request 2" });
    await link.waitFor();
    const focused = () => page.evaluate("document.activeElement.textContent");
    for (let i = 0; i < 40 && (await focused()) !== "request 2"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Request 2" }).getByText("rotated", { exact: true }).waitFor();
  });
});
