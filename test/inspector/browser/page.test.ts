import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

describe("inspector page", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("is smaller than 60 kB compressed", async () => {
    const folder = fileURLToPath(new URL("../../../dist/inspector/", import.meta.url));
    const files = await readdir(folder);
    expect(files.sort()).toEqual(["index.html", "inspector.css", "inspector.js"]);
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(folder + file)).length),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
  });

  it("adds nothing to the journal, and sends requests only to the mock", async () => {
    const context = await inspector.newContext({});
    const origins = new Set<string>();
    context.on("request", (request) => origins.add(new URL(request.url()).origin));
    const page = await inspector.open();
    for (const view of ["Groups", "Faults", "Assumptions", "Tests"]) {
      await page.getByRole("link", { name: view }).click();
    }
    expect(await inspector.mock.requests()).toEqual([]);
    expect([...origins]).toEqual([url()]);
  });

  it("is where the base URL redirects to, without a journal entry", async () => {
    const page = await (await inspector.newContext({})).newPage();
    await page.goto(url());
    await page.getByText("No request has reached").waitFor();
    expect(page.url()).toBe(`${url()}/__admin/`);
    expect(await inspector.mock.requests()).toEqual([]);
  });

  it("shows hostile ids and bodies as text", async () => {
    const hostile = '</script><img src=x onerror="document.title=1"><b>bold</b>';
    const sent = {
      user_group_id: hostile,
      name: hostile,
      mapping: { [hostile]: hostile },
      properties: { [hostile]: { __proto__: null, hostile } },
      [hostile]: hostile,
    };
    await getOrCreate(url(), sent, { headers: { "X-Hostile": hostile } });
    await getOrCreate(url(), hostile);
    const page = await inspector.open("#/requests/1");
    const entry = page.getByRole("article");
    expect(await entry.getByRole("region", { name: "Request body" }).textContent()).toContain("<b>bold</b>");
    await page.getByRole("link", { name: /^#2 / }).click();
    await page.getByRole("article", { name: "Request 2" }).getByText(hostile).first().waitFor();
    await page.getByRole("link", { name: /^#1 / }).click();
    await page.getByRole("article", { name: "Request 1" }).getByRole("link", { name: hostile }).click();
    await page.getByRole("row").filter({ hasText: hostile }).first().waitFor();
    expect(await page.locator("img, b:not(nav b), body script").count()).toBe(0);
    expect(await page.title()).not.toBe("1");
  });

  it("reconnects to a new server on the same port", async () => {
    inspector.allowPageErrors("net::ERR");
    const first = await startMock();
    const page = await (await inspector.newContext({})).newPage();
    await getOrCreate(first.url, { user_group_id: "before", name: "A" });
    await page.goto(`${first.url}/__admin/`);
    await page.getByText("before").waitFor();
    await first.stop();
    await page.getByText("reconnecting").waitFor();
    await using second = await startMock({ port: Number(new URL(first.url).port) });
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText("No request has reached").waitFor();
    await getOrCreate(second.url, { user_group_id: "afterwards", name: "A" });
    await page.getByText("afterwards").waitFor();
    expect(await page.getByText("before").count()).toBe(0);
  });

  it("works with an admin token, which the browser asks for once", async () => {
    await using guarded = await startMock({ adminToken: "secret" });
    const context = await inspector.newContext({ httpCredentials: { username: "any", password: "secret" } });
    const page = await context.newPage();
    await page.goto(`${guarded.url}/__admin/`);
    await page.getByText("live", { exact: true }).waitFor();
    await getOrCreate(guarded.url, { user_group_id: "a", name: "A" });
    await page.getByRole("link", { name: "#1 " }).waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("No request has reached").waitFor();
    expect(await guarded.requests()).toEqual([]);
    // An open page would report errors when the mock stops.
    await page.close();
  });

  it("shows that the mock does not respond, and keeps its last state", async () => {
    inspector.allowPageErrors("net::ERR");
    const mock = await startMock();
    await create(mock.url, "kept");
    const page = await (await inspector.newContext({})).newPage();
    await page.goto(`${mock.url}/__admin/#/worlds`);
    await page.getByText("1 test", { exact: true }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await mock.stop();
    await page.getByText("reconnecting").waitFor();
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: "Arm fault" }).click();
    await page.getByText("The mock does not respond. It may have been stopped.").waitFor();
    await page.getByRole("link", { name: "Tests" }).click();
    expect(await page.getByText("0 tests").count()).toBe(0);
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("kept").first().waitFor();
  });

  it("resets its world after a confirmation", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspector.open();
    await page.getByRole("button", { name: "Reset" }).click();
    expect(await inspector.mock.requests()).toHaveLength(1);
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("The world default was reset to the seed.").waitFor();
    await page.getByText("No request has reached the world default since it was reset.").waitFor();
    expect((await inspector.mock.state()).user_groups).toHaveLength(5);
  });

  it("keeps two tabs with two worlds apart", async () => {
    const [first, second] = [inspector.mock.world("w1"), inspector.mock.world("w2")];
    const [one, two] = [await inspector.open("", first), await inspector.open("", second)];
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

  it("does not create a dropped world again", async () => {
    const { mock } = inspector;
    const world = mock.world("w1");
    await create(world.url, "first");
    const page = await inspector.open("", world);
    await page.getByText("first").first().waitFor();
    await world.drop();
    await page.getByText("this world was dropped").waitFor();
    expect(await page.getByText("first").count()).toBeGreaterThan(0);
    // By the time another page is live, this one would have reconnected.
    await create(mock.url, "elsewhere");
    const other = await inspector.open();
    await other.getByText("elsewhere").first().waitFor();
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("does not shift its layout while it loads", async () => {
    await makeRequests();
    const context = await inspector.newContext({});
    await context.addInitScript(
      "new PerformanceObserver((list) => { window.moved = (window.moved ?? 0) + list.getEntries().reduce((sum, { value }) => sum + value, 0); }).observe({ type: 'layout-shift', buffered: true });",
    );
    const page = await inspector.open();
    await page.getByRole("link", { name: "#3" }).waitFor();
    expect(await page.evaluate("window.moved ?? 0")).toBeLessThan(0.01);
  });

  async function makeRequests(): Promise<void> {
    const sent = {
      user_group_id: "a",
      name: "A".repeat(80),
      mapping: { "40": "x".repeat(90) },
      propertys: 1,
    };
    const { body } = await getOrCreate(url(), sent);
    await rotate(url(), "b".repeat(64));
    await inspector.mock.fault({ status: 503, match: { user_group_id: "a" } });
    await inspector.mock.hold();
    await getOrCreate(url(), { user_group_id: "a" });
    await inspector.mock.clearFaults();
    await inspector.mock.fault({ operation: "rotate", delayMs: 1, times: "always" });
    await rotate(url(), body.user_group.token);
    await inspector.mock.assume({ "created-status": "201" });
  }
});
