import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

const rowsOf = (page: Page) => page.getByRole("list", { name: "Requests, newest first" }).getByRole("link");

describe("inspector journal", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("shows requests as they arrive, newest first, with operation, group, outcome and cause", async () => {
    const page = await inspector.open();
    const { body } = await getOrCreate(url(), { user_group_id: "a", name: "A" });
    await rotate(url(), body.user_group.token);
    await rotate(url(), body.user_group.token);
    const rows = page.getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    const texts = (await rows.allInnerTexts()).map((text) => text.split("\n").slice(0, 5).join(" "));
    expect(texts[0]).toMatch(/^#3 404 rotate a current_token was rotated out by request 2$/);
    expect(texts[1]).toMatch(/^#2 200 rotate a was rotated$/);
    expect(texts[2]).toMatch(/^#1 200 get-or-create a new ?was created$/);
  });

  it("shows request and response side by side, with headers, cause and assumptions", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: 5 });
    const page = await inspector.open();
    await page.getByRole("link", { name: "#1" }).click();
    const entry = page.getByRole("article", { name: "Request 1" });
    await entry.getByText("/name must be string").first().waitFor();
    const request = entry.getByRole("region", { name: "Request", exact: true });
    expect(await request.getByRole("region", { name: "Request body" }).textContent()).toBe(
      '{\n  "user_group_id": "a",\n  "name": 5\n}',
    );
    expect(await request.locator(".key").allInnerTexts()).toEqual(['"user_group_id"', '"name"']);
    expect(await request.locator(".number").allInnerTexts()).toEqual(["5"]);
    await request.getByText(/\d headers/).click();
    await request.getByText("Token test-api-token").waitFor();
    const response = entry.getByRole("region", { name: "Response", exact: true });
    const [left, right] = await Promise.all([request.boundingBox(), response.boundingBox()]);
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 1);
    expect(Math.abs((right?.y ?? 0) - (left?.y ?? 99))).toBeLessThan(1);
    await entry.getByRole("region", { name: "Assumed" }).getByText("failure-status=by-kind").waitFor();
  });

  it("shows earlier tests as sections, tests with failures first", async () => {
    const { mock } = inspector;
    await mock.reset({ label: "fails to rotate" });
    await rotate(url(), "unknown");
    await mock.reset({ label: "creates a group" });
    await create(url(), "fine");
    await mock.reset({ label: "succeeds" });
    await create(url(), "now");
    const page = await inspector.open();
    const texts = () => rowsOf(page).allInnerTexts();
    await expect
      .poll(texts)
      .toEqual([
        expect.stringContaining("now"),
        expect.stringMatching(/fails to rotate\s*1 request, 1 failed/),
        expect.stringMatching(/creates a group\s*1 request\s/),
      ]);
    await page.getByRole("link", { name: /fails to rotate/ }).click();
    await expect.poll(texts).toHaveLength(4);
    // The requests of both tests have the id 1.
    await rowsOf(page).filter({ hasText: /404/ }).click();
    await page.getByRole("article", { name: "Request 1" }).getByText("unknown_token").first().waitFor();
    await page.getByText("No longer in the journal: the world was reset at").waitFor();
    await rowsOf(page).filter({ hasText: "now" }).click();
    await page.getByRole("article", { name: "Request 1" }).getByRole("link", { name: "now" }).waitFor();
  });

  it("shows the name of the current test above its requests", async () => {
    await inspector.mock.reset({ label: "rotates the token of acme" });
    await create(inspector.mock.url, "acme");
    const page = await inspector.open();
    await page.getByRole("heading", { name: "rotates the token of acme" }).waitFor();
    await inspector.mock.reset({ label: "another test" });
    await page.getByRole("heading", { name: "another test" }).waitFor();
  });

  it("opens the entry of a copied link, and reports a link to a missing entry", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspector.open("#/requests/1");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied the link.").waitFor();
    const link = await inspector.copied(page);
    expect(link).toBe(`${url()}/__admin/#/requests/1?epoch=1`);
    const other = await page.context().newPage();
    await other.goto(link);
    const entry = other.getByRole("article", { name: "Request 1" });
    // The button is enabled when the bodies are loaded, so nothing is requested after the test.
    await entry.getByRole("button", { name: "Copy as curl", disabled: false }).waitFor();
    await other.goto(`${url()}/__admin/#/requests/7`);
    await other.getByText("Request 7 is not in the journal").waitFor();
  });

  it("shows no new requests while it is paused, and all of them afterwards", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspector.open();
    await page.getByRole("button", { name: "Pause" }).click();
    await getOrCreate(url(), { user_group_id: "b", name: "B" });
    await page.getByRole("button", { name: "Resume (1 new)" }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(1);
    await page.getByRole("button", { name: "Resume (1 new)" }).click();
    await expect.poll(() => page.getByRole("listitem").count()).toBe(2);
  });

  it("stays paused while another view is open", async () => {
    await create(url(), "before");
    const page = await inspector.open();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("link", { name: "Groups" }).click();
    await create(url(), "meanwhile");
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByRole("button", { name: "Resume (1 new)" }).waitFor();
    expect(await page.getByText("meanwhile").count()).toBe(0);
  });

  it("clears the journal after a confirmation", async () => {
    await getOrCreate(url(), { user_group_id: "a", name: "A" });
    const page = await inspector.open();
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await inspector.mock.requests()).toHaveLength(1);
    await page.getByRole("button", { name: "Sure?" }).click();
    await page.getByText("No request has reached").waitFor();
    expect(await inspector.mock.requests()).toHaveLength(0);
  });

  it("renders only the visible rows of 1,000 entries", async () => {
    for (let i = 0; i < 1_005; i += 15) {
      const bodies = Array.from({ length: 15 }, (_, n) => ({ user_group_id: `g${i + n}`, name: "N" }));
      await Promise.all(bodies.map((body) => getOrCreate(url(), body)));
    }
    const page = await inspector.open();
    await page.getByText("The journal is full. It dropped 5 older requests").waitFor();
    const rows = page.getByRole("listitem");
    expect(await rows.first().textContent()).toContain("#1005");
    expect(await rows.count()).toBeLessThan(60);
    const list = page.locator(".journal-list");
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    const reading = page.getByRole("link", { name: "#500 " });
    const before = await reading.boundingBox();
    await getOrCreate(url(), { user_group_id: "one-more", name: "N" });
    await page.getByText("The journal is full. It dropped 6 older requests").waitFor();
    expect((await reading.boundingBox())?.y).toBe(before?.y);
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByRole("link", { name: "#7 " }).waitFor();
    await page.getByLabel("Filter requests").fill("g777");
    await expect.poll(() => rows.count()).toBe(1);
  });
});
