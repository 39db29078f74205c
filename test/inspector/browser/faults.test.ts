import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type FaultKind, faultKinds, kindNames } from "../../../src/contract/fault-kinds.js";
import { create, getOrCreate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("inspector faults", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("arms a 503, shows the request that it matched, and removes it", async () => {
    const page = await inspector.open("#/faults");
    await page.getByLabel("How often").fill("2");
    await page.getByLabel("Which operation").selectOption("get-or-create");
    await page
      .getByText('await mock.fault({ operation: "get-or-create", status: 503, times: 2 });')
      .waitFor();
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText("has not fired").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(503);
    const armed = page.getByRole("region", { name: "Armed faults" });
    await armed.getByText("fired 1 time").waitFor();
    await armed.getByRole("link", { name: "#1" }).waitFor();
    await armed.getByRole("button", { name: "Remove fault 1" }).click();
    await page.getByText("No fault is armed").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(200);
  });

  /** What the form arms if nothing else is entered. */
  const faultOf: Readonly<Record<FaultKind, object>> = {
    status: { status: 503 },
    delayMs: { delayMs: 2000 },
    reset: { reset: true },
    empty: { empty: true },
    truncate: { truncate: true },
    malformed: { malformed: true },
    hold: { hold: true },
  };

  it.each([
    { title: "Lost rotation", fault: { operation: "rotate", phase: "after", reset: true } },
    ...kindNames.map((name) => ({ title: faultKinds[name].form.title, fault: faultOf[name] })),
  ])("arms a fault of the kind $title", async ({ title, fault }) => {
    const page = await inspector.open("#/faults");
    await page.getByText(title, { exact: true }).click();
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText("Fault 1 is armed.").waitFor();
    const { fired, holding, active, id, nearMisses, ...armed } = (await inspector.mock.faults())[0] ?? {};
    expect(armed).toEqual(fault);
  });

  it("arms a fault with all fields, and clears all faults", async () => {
    const page = await inspector.open("#/faults");
    await page.getByText(/^More:/).click();
    await page.getByLabel("Status", { exact: true }).fill("429");
    await page.getByLabel("How often").fill("always");
    await page.getByLabel("Which operation").selectOption("get-or-create");
    await page.getByLabel("When").selectOption("after");
    await page.getByLabel("Requests to skip first").fill("1");
    await page.getByLabel("Only team").fill("3");
    await page.getByLabel("Wait first, in ms").fill("1");
    await page.getByLabel("Only bodies with").fill('{"properties": {"region": "EU"}}');
    await page.getByLabel("Response headers").fill("Retry-After: 1");
    await page.getByLabel("Response body").fill("<html>");
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText("Fault 1 is armed.").waitFor();
    const { fired, holding, active, id, nearMisses, ...armed } = (await inspector.mock.faults())[0] ?? {};
    expect(armed).toEqual({
      operation: "get-or-create",
      match: { properties: { region: "EU" } },
      team_id: 3,
      phase: "after",
      status: 429,
      headers: { "Retry-After": "1" },
      text: "<html>",
      delayMs: 1,
      times: "always",
      skip: 1,
    });
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("No fault is armed").waitFor();
    expect(await inspector.mock.faults()).toEqual([]);
  });

  it("arms a fault for one group", async () => {
    const page = await inspector.open("#/faults");
    await page.getByLabel("Only user_group_id").fill("b");
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText("Fault 1 is armed.").waitFor();
    expect((await getOrCreate(url(), { user_group_id: "a", name: "A" })).status).toBe(200);
    expect((await getOrCreate(url(), { user_group_id: "b", name: "B" })).status).toBe(503);
  });

  it("reports why a fault cannot be armed", async () => {
    const page = await inspector.open("#/faults");
    await page.getByText(/^More:/).click();
    await page.getByLabel("Response headers").fill("Date: today");
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText(/is set by the mock/).waitFor();
    await expect.poll(() => inspector.pageErrors).toEqual([expect.stringContaining("400")]);
    inspector.pageErrors.length = 0;
  });

  it("shows no line for a test while the form is invalid", async () => {
    const page = await inspector.open("#/faults");
    await page.getByLabel("Status", { exact: true }).fill("");
    await page.getByText("Enter a status from 400 to 599.").waitFor();
    expect(await page.getByText("In a test:").count()).toBe(0);
    await page.getByText("Slow", { exact: true }).click();
    await page.getByLabel("Delay in ms").fill("0");
    await page.getByText("Enter a delay from 1 to 600000 milliseconds.").waitFor();
  });

  it("shows a held request, and releases it", async () => {
    const page = await inspector.open("#/faults");
    await page.getByText("Hold", { exact: true }).click();
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText("waits for a request").waitFor();
    const response = getOrCreate(url(), { user_group_id: "a", name: "A" });
    await page.getByText("holds 1 request").waitFor();
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("waiting in fault 1").waitFor();
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: "Release fault 1" }).click();
    expect((await response).status).toBe(200);
    await page.getByText("spent").waitFor();
  });

  it("releases a held request in the journal, its entry and the faults view, and shows how long it has waited", async () => {
    const { mock } = inspector;
    for (const [hash, n] of [
      ["#/requests", 1],
      ["#/requests/2?epoch=1", 2],
      ["#/faults", 3],
    ] as const) {
      const held = await mock.hold();
      const response = create(url(), `held-${n}`);
      await held.arrived;
      const page = await inspector.open(hash);
      await page
        .getByText(/\b\d+ s\b/)
        .first()
        .waitFor();
      await page
        .getByRole("button", { name: `Release fault ${n}` })
        .first()
        .click();
      expect((await response).status).toBe(200);
      await page.close();
    }
  });

  it("scrolls to the fault that an entry links to", async () => {
    const { mock } = inspector;
    for (let i = 0; i < 30; i++) await mock.fault({ status: 500, match: { user_group_id: `g${i}` } });
    await create(url(), "g0");
    const page = await inspector.open("#/requests/1");
    await page.getByRole("article").getByRole("link", { name: "fault 1", exact: true }).click();
    await page
      .locator(".target")
      .getByText(`Fault 1 ${faultKinds.status.listText({ status: 500 })}`)
      .waitFor();
    expect(await inView(page)).toBe(true);
  });

  it("lists the near misses of a fault that has not fired", async () => {
    const { mock } = inspector;
    await mock.fault({ match: { user_group_id: "C5" }, status: 503 });
    const page = await inspector.open("#/faults");
    await page.getByText("has not fired").waitFor();
    await create(mock.url, "c5");
    for (const id of ["d5", "d6", "d7", "d8"]) await create(mock.url, id);
    const misses = page.getByRole("list", { name: "Near misses of fault 1" });
    await expect.poll(() => misses.textContent()).toBe('#1 user_group_id was "c5", not "C5"');
    await page.getByText("1 request came close:").waitFor();
    // The assertion reports the same reason.
    await expect(mock.assertFaultsFired()).rejects.toThrow('user_group_id was "c5", not "C5"');
    await create(mock.url, "C5");
    await page.getByText("fired 1 time").waitFor();
    await misses.waitFor({ state: "detached" });
  });

  async function inView(page: Page): Promise<boolean> {
    const box = await page.locator(".target").boundingBox();
    const { height = 0 } = page.viewportSize() ?? {};
    return box !== null && box.y >= 0 && box.y < height;
  }
});
