import { describe, expect, it } from "vitest";
import { create } from "../call.js";
import { inspect } from "./inspected.js";

describe("what is being read in the inspector", () => {
  const inspected = inspect();

  it("stays open when the world is reset, and its link leads to the same call", async () => {
    const { mock } = inspected;
    await create(mock.url, "first");
    const page = await inspected.open();
    await page.getByRole("link", { name: "#1" }).click();
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("first").first().waitFor();
    await mock.reset();
    await create(mock.url, "second");
    await entry.getByText("No longer in the journal: the world was reset at").waitFor();
    expect(await entry.getByText("first").count()).toBeGreaterThan(0);
    expect(await entry.getByText("second").count()).toBe(0);
    const again = await inspected.open(new URL(page.url()).hash);
    await again.getByRole("article", { name: "Request 1" }).getByText("first").first().waitFor();
    // The list goes on with the world; the earlier test is a section of it.
    await page.getByText("second").first().waitFor();
    await page.getByRole("link", { name: /before reset 1/ }).waitFor();
  });

  it("stays open when the journal is cleared", async () => {
    const { mock } = inspected;
    await create(mock.url, "first");
    const page = await inspected.open("#/requests/1");
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("first").first().waitFor();
    await mock.clearRequests();
    await entry.getByText("No longer in the journal since").waitFor();
    expect(await entry.getByText("first").count()).toBeGreaterThan(0);
  });

  it("is there again after a look at another view", async () => {
    const { mock } = inspected;
    await create(mock.url, "first");
    await create(mock.url, "second");
    const page = await inspected.open();
    await page.getByLabel("Filter requests").fill("second");
    await page.getByRole("link", { name: "#2" }).click();
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    await page.getByRole("link", { name: "Groups" }).click();
    await page.getByRole("row").filter({ hasText: "first" }).waitFor();
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    expect(await page.getByLabel("Filter requests").inputValue()).toBe("second");
  });

  it("does not bring a world back to life that was dropped, and says so", async () => {
    const { mock } = inspected;
    const world = mock.world("w1");
    await create(world.url, "first");
    const page = await inspected.open("", world);
    await page.getByText("first").first().waitFor();
    await world.drop();
    await page.getByText("this world was dropped").waitFor();
    expect(await page.getByText("first").count()).toBeGreaterThan(0);
    // Another page, which is live, has had the time that a reconnection takes.
    await create(mock.url, "elsewhere");
    const other = await inspected.open();
    await other.getByText("elsewhere").first().waitFor();
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });
});
