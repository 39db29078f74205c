import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { create } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("when there is nothing to inspect", () => {
  const inspector = useInspector();
  const buttons = ["Reset", "Fail next"];

  it("shows that the mock has stopped, keeps its last state, and shows a mock that starts in its place", async () => {
    inspector.allowPageErrors("ERR_");
    const mock = await startMock();
    await create(mock.url, "acme");
    const page = await inspector.open("#/requests/1", mock);
    await mock.stop();
    await page.getByText("The mock has stopped. This is its last state.").waitFor();
    await page.getByRole("article", { name: "Request 1" }).getByText('"acme"').first().waitFor();
    for (const name of buttons) expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    const next = await startMock({ port: Number(new URL(mock.url).port) });
    await page.getByText("The mock was started again.").waitFor();
    await create(next.url, "globex");
    await page.getByRole("article", { name: "Request 1" }).getByText('"globex"').first().waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await next.stop();
  });

  it("shows that a world was dropped, keeps its last state, and does not create it again", async () => {
    const world = inspector.mock.world("w3");
    await create(world.url, "acme");
    const page = await inspector.open("#/groups", world);
    await page.getByRole("row", { name: /^acme/ }).waitFor();
    await world.drop();
    await page.getByText("This world was dropped. This is its last state.").waitFor();
    await page.getByRole("row", { name: /^acme/ }).waitFor();
    for (const name of buttons) expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    await page.reload();
    await page.getByRole("link", { name: /^#1 200 get-or-create acme/ }).waitFor();
    expect(await inspector.mock.worlds()).toHaveLength(1);
  });

  it("shows that there is no such world, does not create it, and shows it once a request has", async () => {
    inspector.allowPageErrors("none");
    const world = inspector.mock.world("never");
    const page = await (await inspector.newContext({})).newPage();
    await page.goto(`${world.url}/__admin/`);
    await page.getByRole("heading", { name: "There is no world never" }).waitFor();
    for (const name of buttons) expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    expect(await inspector.mock.worlds()).toHaveLength(1);
    await create(world.url, "acme");
    await page.getByRole("link", { name: /^#1 200 get-or-create acme/ }).waitFor();
  });
});
