import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { getOrCreate, rotate } from "../call.js";
import { seededToken } from "../seeded.js";
import { inspect } from "./inspected.js";

describe("the groups of the inspector", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("shows where groups come from, how often they were rotated and what they hold", async () => {
    const sent = { user_group_id: "a", name: "Group A", mapping: { "40": "213" }, properties: { deep: [1] } };
    const { body } = await getOrCreate(url(), sent);
    await rotate(url(), body.user_group.token);
    const page = await inspected.open("#/groups");
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

  it("shows a token when it is asked for", async () => {
    const page = await inspected.open("#/groups");
    const button = page.getByRole("button", { name: "Show the token of example_1" }).first();
    await button.waitFor();
    expect(await page.getByText(seededToken).count()).toBe(0);
    await button.click();
    await page.getByText(seededToken).waitFor();
    await page.getByRole("button", { name: "Copy the token of example_1" }).first().click();
    await page.getByText("Copied the token of example_1.").waitFor();
    expect(await inspected.copied(page)).toBe(seededToken);
  });

  it("searches", async () => {
    const page = await inspected.open("#/groups");
    await page.getByLabel("Search groups").fill("warehouse-eu");
    await page.getByText("1 of 5").waitFor();
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["several-sources"]);
  });

  it("leads from a group to its calls and back, also where two teams have the same id", async () => {
    await getOrCreate(url(), { user_group_id: "example_1" });
    const { body } = await getOrCreate(
      url(),
      { user_group_id: "example_1" },
      { apiToken: "other-api-token" },
    );
    await rotate(url(), body.user_group.token, { apiToken: "other-api-token" });
    await rotate(url(), body.user_group.token, { apiToken: "other-api-token" });
    const page = await inspected.open("#/groups");
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

  it("exports the state as a fixture file that starts a mock", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A", mapping: { "40": "1" } });
    const page = await inspected.open("#/groups");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as fixture" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("default-groups.json");
    const fixture = JSON.parse(await readFile(await download.path(), "utf8"));
    await using again = await startMock({ fixtures: fixture });
    expect(await again.state()).toEqual(await inspected.mock.state());
  });
});

describe("the controls of the inspector", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it("resets its world once it was asked twice", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspected.open();
    await page.getByRole("button", { name: "Reset" }).click();
    expect(await inspected.mock.requests()).toHaveLength(1);
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("The world default was reset to the seed.").waitFor();
    await page.getByText("No request has reached the world default since it was reset.").waitFor();
    expect((await inspected.mock.state()).user_groups).toHaveLength(5);
  });

  it("arms a 503, shows that it fires and at which call, and removes it", async () => {
    const page = await inspected.open("#/faults");
    await page.getByLabel("How often").fill("2");
    await page.getByLabel("Which operation").selectOption("get-or-create");
    await page
      .getByText('await mock.fault({ operation: "get-or-create", status: 503, times: 2 });')
      .waitFor();
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("has not fired").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(503);
    const armed = page.getByRole("region", { name: "Armed faults" });
    await armed.getByText("fired 1 time").waitFor();
    await armed.getByRole("link", { name: "#1" }).waitFor();
    await armed.getByRole("button", { name: "Remove fault 1" }).click();
    await page.getByText("No fault is armed").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(200);
  });

  it.each([
    ["Slow", { delayMs: 2000 }],
    ["Lost rotation", { operation: "rotate", phase: "after", reset: true }],
    ["Connection reset", { reset: true }],
    ["Empty response", { empty: true }],
    ["Half a response", { truncate: true }],
    ["Broken JSON", { malformed: true }],
    ["Dribble", { dribble: true, delayMs: 2000 }],
    ["Hold", { hold: true }],
  ])("arms %s", async (title, fault) => {
    const page = await inspected.open("#/faults");
    await page.getByText(title, { exact: true }).click();
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("Fault 1 is armed.").waitFor();
    const { fired, holding, active, id, nearMisses, ...armed } = (await inspected.mock.faults())[0] ?? {};
    expect(armed).toEqual(fault);
  });

  it("arms a fault for one group only", async () => {
    const page = await inspected.open("#/faults");
    await page.getByLabel("Only user_group_id").fill("b");
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("Fault 1 is armed.").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(200);
    expect((await getOrCreate(url(), { user_group_id: "b", name: "B" })).status).toBe(503);
  });

  it("shows a call that is held, and releases it", async () => {
    const page = await inspected.open("#/faults");
    await page.getByText("Hold", { exact: true }).click();
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("waits for a request").waitFor();
    const answer = getOrCreate(url(), { user_group_id: "a", name: "A" });
    await page.getByText("holds 1 request").waitFor();
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("waits in fault 1").waitFor();
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: "Release fault 1" }).click();
    expect((await answer).status).toBe(200);
    await page.getByText("spent").waitFor();
  });

  it("says why a fault cannot be armed", async () => {
    for (let i = 0; i < 1_000; i++) await inspected.mock.fault({ status: 500 });
    const page = await inspected.open("#/faults");
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("This world has 1000 faults.").waitFor();
    await expect.poll(() => inspected.complaints).toEqual([expect.stringContaining("429")]);
    inspected.complaints.length = 0;
  });

  it("shows the questions with their answers, and changes them in place", async () => {
    const page = await inspected.open("#/assumptions");
    const question = page.getByRole("group", { name: /HTTP status when a group was created/ });
    expect(await question.getByRole("radio").count()).toBe(2);
    expect(await page.getByRole("group").count()).toBe((await inspected.mock.assumptions()).length);
    await question.getByLabel("201").check();
    await page.getByText("This world now assumes created-status=201.").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(201);
    await page.getByLabel("only assumptions that decided a request (1)").check();
    await expect.poll(() => page.getByRole("group").count()).toBe(1);
    await question.getByText("changed").waitFor();
  });

  it("sees what others change", async () => {
    const page = await inspected.open("#/assumptions");
    await inspected.mock.assume({ "old-token": "accepted" });
    await page
      .getByRole("group", { name: /old-token/ })
      .getByText("changed")
      .waitFor();
  });
});

describe("the worlds of the inspector", () => {
  const inspected = inspect();

  it("shows which are busy, switches between them and drops them", async () => {
    const world = inspected.mock.world("w3");
    await getOrCreate(world.url, { user_group_id: "in-w3", name: "A" });
    const page = await inspected.open("#/worlds");
    const row = page.getByRole("row").filter({ hasText: "w3" });
    await row.waitFor();
    expect(await row.textContent()).not.toContain("busy");
    await getOrCreate(world.url, { user_group_id: "in-w3" });
    await row.getByText("busy").waitFor();
    expect((await row.getByRole("cell").allInnerTexts()).slice(0, 3)).toEqual(["w3", "2", "0"]);
    await row.getByRole("link", { name: "w3" }).click();
    await page.waitForURL(`${world.url}/__admin/#/requests`);
    await page.getByText("in-w3").first().waitFor();
    await page.goto(`${inspected.mock.url}/__admin/#/worlds`);
    await row.getByRole("button", { name: "Drop" }).click();
    await row.getByRole("button", { name: "Sure?" }).click();
    // Its test stays in the list.
    await row.getByText("dropped").waitFor();
    expect((await inspected.mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("offers the names that a world can have, and no others", async () => {
    const page = await inspected.open("#/worlds");
    await page.getByText("1 test", { exact: true }).waitFor();
    const offered = async (name: string) => {
      await page.getByLabel("Search tests").fill(name);
      await page.getByText("0 of 1 test").waitFor();
      return (await page.getByRole("link", { name: "Open the new world" }).count()) === 1;
    };
    for (const name of ["...", "a.B_c-7", "x".repeat(64)]) expect(await offered(name)).toBe(true);
    for (const name of ["..!", "b c", "a/b", "ä", "x".repeat(65)]) expect(await offered(name)).toBe(false);
  });

  it("keeps two tabs in two worlds apart", async () => {
    const [first, second] = [inspected.mock.world("w1"), inspected.mock.world("w2")];
    const [one, two] = [await inspected.open("", first), await inspected.open("", second)];
    await getOrCreate(first.url, { user_group_id: "of-one", name: "A" });
    await getOrCreate(second.url, { user_group_id: "of-two", name: "A" });
    await one.getByText("of-one").waitFor();
    await two.getByText("of-two").waitFor();
    await one.getByRole("button", { name: "Reset" }).click();
    await one.getByRole("button", { name: "Sure?" }).click();
    await one.getByText("No request has reached the world w1 since it was reset.").waitFor();
    expect(await two.getByRole("listitem").allInnerTexts()).toEqual([expect.stringContaining("of-two")]);
    expect(await second.requests()).toHaveLength(1);
  });
});
