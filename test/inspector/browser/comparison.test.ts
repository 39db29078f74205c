import { describe, expect, it } from "vitest";
import { create } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("comparison of requests in the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("compares with the last success of the same operation and group by default", async () => {
    await create(url(), "other");
    await create(url(), "acme");
    await create(url(), "acme", { name: 7, properties: { region: "EU" } });
    const page = await inspector.open("#/requests/3");
    await page.getByRole("link", { name: "Compare with #2, the last success" }).click();
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByRole("heading", { name: /Request body .* lines differ/ }).waitFor();
    const changed = await comparison.locator("tr.differs").allInnerTexts();
    expect(changed).toContainEqual(expect.stringMatching(/^− {3}"name": "acme"\s*\+ {3}"name": 7,$/));
    expect(changed).toContainEqual(expect.stringMatching(/^− 200\s*\+ 400$/));
    await comparison.getByLabel(/Compare #3 with/).selectOption("1");
    await comparison.getByRole("columnheader", { name: "#1" }).first().waitFor();
    // The URL contains the comparison.
    const again = await inspector.open(new URL(page.url()).hash);
    await again.getByRole("region", { name: "Comparison" }).getByText('"other"').first().waitFor();
    await page.getByRole("link", { name: "Close the comparison" }).click();
    await comparison.waitFor({ state: "detached" });
  });

  it("compares a retry with its previous attempt, and marks differences within a line", async () => {
    const { mock } = inspector;
    await create(url(), "acme");
    await mock.fault({ status: 503 });
    await create(url(), "acme", { properties: { region: "EU west 1" } });
    await create(url(), "acme", { properties: { region: "EU west 1" } });
    const page = await inspector.open("#/requests/3");
    await page.getByRole("link", { name: "Compare with #2, the previous attempt" }).click();
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByRole("heading", { name: /Request body identical/ }).waitFor();
    expect(await comparison.getByText(/^(date|usergroup-mock-request|content-length):/).count()).toBe(0);
    await comparison.getByText("Headers that always differ are left out").waitFor();
    // Any other request can be chosen.
    await comparison.getByLabel(/Compare #3 with/).selectOption("1");
    await comparison.getByRole("columnheader", { name: "#1" }).first().waitFor();
    await create(url(), "acme", { properties: { region: "EU east 1" } });
    await page.goto(`${url()}/__admin/#/requests/4?with=3`);
    await expect
      .poll(() => comparison.locator("tr.differs", { hasText: "region" }).locator("mark").allTextContents())
      .toEqual(["west", "east"]);
  });

  it("compares with a request of an earlier test", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "passing test" });
    await create(url(), "before");
    await create(url(), "acme");
    await mock.reset({ label: "failing test" });
    await create(url(), "acme", { name: 7 });
    const page = await inspector.open("#/requests/1?with=1");
    const comparison = page.getByRole("region", { name: "Comparison" });
    await comparison.getByLabel("Test of the other request").selectOption("passing test");
    await comparison.getByText('"before"').first().waitFor();
    await comparison.getByLabel(/Compare #1 with/).selectOption("2");
    await expect
      .poll(() => comparison.locator("tr.differs", { hasText: "name" }).first().textContent())
      .toMatch(/−.*"name": "acme".*\+.*"name": 7/);
    const again = await inspector.open(new URL(page.url()).hash);
    await again.getByRole("region", { name: "Comparison" }).getByText('"acme"').first().waitFor();
  });
});
