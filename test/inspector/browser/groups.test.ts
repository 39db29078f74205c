import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { useInspector } from "../use-inspector.js";

describe("inspector groups", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("shows origin, rotations, mapping and properties of groups", async () => {
    const sent = { user_group_id: "a", name: "Group A", mapping: { "40": "213" }, properties: { deep: [1] } };
    const { body } = await getOrCreate(url(), sent);
    await rotate(url(), body.user_group.token);
    const page = await inspector.open("#/groups");
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "a", exact: true }) });
    const cells = await row.getByRole("cell").allInnerTexts();
    expect(cells.map((text) => text.trim())).toEqual([
      "Group A",
      "3",
      expect.stringContaining("••••"),
      "40: 213",
      "deep: [1]",
      "created",
      "1",
      "2 requests",
    ]);
    expect(await page.getByText("seeded").count()).toBe(5);
  });

  it("shows a token only after a click", async () => {
    const page = await inspector.open("#/groups");
    const button = page.getByRole("button", { name: "Show the token of example_1" }).first();
    await button.waitFor();
    expect(await page.getByText(seededToken).count()).toBe(0);
    await button.click();
    await page.getByText(seededToken).waitFor();
    await page.getByRole("button", { name: "Copy the token of example_1" }).first().click();
    await page.getByText("Copied the token of example_1.").waitFor();
    expect(await inspector.copied(page)).toBe(seededToken);
  });

  it("finds groups by a search", async () => {
    const page = await inspector.open("#/groups");
    await page.getByLabel("Search groups").fill("warehouse-eu");
    await page.getByText("1 of 5").waitFor();
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["several-sources"]);
  });

  it("links a group with its requests, also if two teams have the same group id", async () => {
    await getOrCreate(url(), { user_group_id: "example_1" });
    const { body } = await getOrCreate(
      url(),
      { user_group_id: "example_1" },
      { apiToken: "other-api-token" },
    );
    await rotate(url(), body.user_group.token, { apiToken: "other-api-token" });
    await rotate(url(), body.user_group.token, { apiToken: "other-api-token" });
    const page = await inspector.open("#/groups");
    await page.getByRole("link", { name: "3 requests" }).click();
    const rows = page.getByRole("listitem");
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([expect.stringContaining("#4"), expect.stringContaining("#3"), expect.stringContaining("#2")]);
    await rows.first().getByRole("link").click();
    await page.getByRole("article").getByRole("link", { name: "example_1" }).click();
    const open = page.getByRole("row").filter({ has: page.locator("a[aria-expanded=true]") });
    expect(await open.textContent()).toContain("The same id in another team");
  });

  it("exports a fixture file that starts a mock", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A", mapping: { "40": "1" } });
    const page = await inspector.open("#/groups");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as fixture" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("default-groups.json");
    const fixture = JSON.parse(await readFile(await download.path(), "utf8"));
    await using again = await startMock({ fixtures: fixture });
    expect(await again.state()).toEqual(await inspector.mock.state());
  });

  it("reports a link to a group that does not exist", async () => {
    const page = await inspector.open("#/groups?team=3&group=missing");
    await page.getByText("Team 3 has no group missing in this world.").waitFor();
    await page.getByRole("link", { name: "Show all groups" }).click();
    await page.getByText("Team 3 has no group").waitFor({ state: "detached" });
  });

  it("loads groups only while the groups view is open", async () => {
    const page = await inspector.open();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    for (let n = 0; n < 20; n++) await create(url(), `g${n}`);
    await page.getByRole("link", { name: /^#20 / }).waitFor();
    await page.getByRole("link", { name: "Groups 25" }).waitFor();
    expect(requested.filter((path) => /groups|state/.test(path))).toEqual([]);
    await page.getByRole("link", { name: "Groups 25" }).click();
    await page.getByRole("rowheader", { name: "g19" }).waitFor();
  });
});
