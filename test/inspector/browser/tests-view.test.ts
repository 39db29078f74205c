import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

const rowsOf = (page: Page) => page.locator(".tests tbody tr");
const namesIn = (page: Page) => rowsOf(page).getByRole("rowheader").allTextContents();

describe("inspector list of tests", () => {
  const inspector = useInspector();

  it("has a row for each test, failures first", async () => {
    const { mock } = inspector;
    const world = mock.world("checkout");
    await world.reset({ label: "creates a group" });
    await create(world.url, "acme");
    await world.reset({ label: "rotates a stale token" });
    await rotate(world.url, "stale");
    await rotate(world.url, "other");
    await world.reset({ label: "passes" });
    await create(world.url, "acme");
    await create(world.url, "other");
    const page = await inspector.open("#/worlds");
    await expect
      .poll(() => namesIn(page))
      .toEqual(["rotates a stale token", "passes", "creates a group", "defaultthis one"]);
    const cells = (name: string) =>
      rowsOf(page).filter({ hasText: name }).getByRole("cell").allTextContents();
    expect((await cells("rotates a stale")).slice(0, 3)).toEqual(["checkout ", "2", "2"]);
    expect((await cells("passes")).slice(0, 3)).toEqual(["checkout ", "2", "0"]);
    await page.getByRole("link", { name: "rotates a stale token" }).click();
    await page.getByRole("link", { name: /^#2 404 rotate/ }).click();
    await page.getByRole("article", { name: "Request 2" }).getByText("unknown_token").first().waitFor();
    await page.getByText("No longer in the journal: the world was reset at").waitFor();
  });

  it("finds a test by a part of its name or its world, and opens it with Enter", async () => {
    const { mock } = inspector;
    for (let n = 0; n < 300; n++) await mock.world(`w${n}`).reset({ label: `passes for number ${n}` });
    await mock.world("w77").reset({ label: "rotates a stale token" });
    await rotate(mock.world("w77").url, "stale");
    const page = await inspector.open("#/worlds");
    await expect.poll(() => namesIn(page)).toHaveLength(200);
    await page.keyboard.press("/");
    await page.keyboard.type("number 123");
    await expect.poll(() => namesIn(page)).toEqual(["passes for number 123"]);
    // Failed tests that do not match are not above it.
    expect((await rowsOf(page).first().boundingBox())?.y).toBeLessThan(300);
    await page.getByLabel("Search tests").fill("STALE token");
    await expect.poll(() => namesIn(page)).toEqual(["rotates a stale token"]);
    await page.getByLabel("Search tests").fill("w12");
    await expect.poll(() => namesIn(page)).toContain("passes for number 120");
    await page.getByLabel("Search tests").fill("w7 number 7");
    const before = (await mock.worlds()).length;
    await page.getByLabel("Search tests").fill("w29");
    await page.getByLabel("Search tests").press("Enter");
    await page.getByRole("link", { name: /World w29\d?/ }).waitFor();
    // A part of a name does not create a world.
    expect((await mock.worlds()).length).toBe(before);
  });

  it("does not create a world for a search without results", async () => {
    const page = await inspector.open("#/worlds");
    await page.getByLabel("Search tests").fill("brand-new");
    await page.getByText("No test matches").waitFor();
    await page.getByLabel("Search tests").press("Enter");
    expect(page.url()).toContain("search=brand-new");
    expect((await inspector.mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("sorts by each column, in both directions", async () => {
    const { mock } = inspector;
    for (const [name, requests] of [
      ["b", 1],
      ["c", 3],
      ["a", 2],
    ] as const) {
      for (let n = 0; n < requests; n++) await create(mock.world(name).url, `g${n}`);
    }
    const page = await inspector.open("#/worlds");
    const names = async () => (await namesIn(page)).map((name) => name.replace("this one", ""));
    await page.getByRole("button", { name: "World" }).click();
    await expect.poll(names).toEqual(["a", "b", "c", "default"]);
    expect(await page.getByRole("columnheader", { name: "World" }).getAttribute("aria-sort")).toBe(
      "ascending",
    );
    await page.getByRole("button", { name: "World" }).click();
    await expect.poll(names).toEqual(["default", "c", "b", "a"]);
    await page.getByRole("button", { name: "Requests" }).click();
    await expect.poll(names).toEqual(["c", "a", "b", "default"]);
  });

  it("counts failed tests on the tab of every view", async () => {
    const { mock } = inspector;
    const page = await inspector.open();
    await rotate(mock.world("w1").url, "stale");
    await rotate(mock.world("w2").url, "stale");
    await page.getByRole("link", { name: "Tests 2" }).waitFor();
    expect(await page.locator("nav .failed").textContent()).toBe("2");
  });

  it("shows a test of a dropped world without creating the world again", async () => {
    const { mock } = inspector;
    await create(mock.world("gone").url, "a", { name: 7 });
    await mock.world("gone").drop();
    const page = await inspector.open("#/worlds");
    await page.getByRole("row").filter({ hasText: "gone" }).getByRole("link").click();
    await page.getByText("this world was dropped").first().waitFor();
    await page.getByRole("link", { name: /^#1 400 get-or-create/ }).click();
    await page.getByRole("article", { name: "Request 1" }).getByText("invalid_body").first().waitFor();
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("switches between worlds and drops them", async () => {
    const world = inspector.mock.world("w3");
    await getOrCreate(world.url, { user_group_id: "in-w3", name: "A" });
    const page = await inspector.open("#/worlds");
    const row = page.getByRole("row").filter({ hasText: "w3" });
    await row.waitFor();
    await getOrCreate(world.url, { user_group_id: "in-w3" });
    const cells = async () => (await row.getByRole("cell").allInnerTexts()).slice(0, 3);
    await expect.poll(cells).toEqual(["w3", "2", "0"]);
    await row.getByRole("link", { name: "w3" }).click();
    await page.waitForURL(`${world.url}/__admin/#/requests`);
    await page.getByText("in-w3").first().waitFor();
    await page.goto(`${inspector.mock.url}/__admin/#/worlds`);
    await row.getByRole("button", { name: "Drop" }).click();
    await row.getByRole("button", { name: "Sure?" }).click();
    // The test of a dropped world stays in the list.
    await row.getByText("dropped").waitFor();
    expect((await inspector.mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });
});
