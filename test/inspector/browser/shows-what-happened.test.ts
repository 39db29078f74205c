import type { Locator } from "@playwright/test";
import { describe, expect, it } from "vitest";
import { call, create, getOrCreate, rotate } from "../../call.js";
import { untilHeld, useInspector } from "../use-inspector.js";

describe("the inspector", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it("counts rejected requests of a test in grey, without a cross", async () => {
    await create(url(), "acme");
    await inspector.mock.reset({ label: "rejects a wrong token" });
    await rotate(url(), "unknown");
    const page = await inspector.open();
    const tests = page.getByRole("region", { name: "Tests" });
    await tests.getByRole("link", { name: "rejects a wrong token 1 request · 1 rejected" }).waitFor();
    expect(await page.getByText("✗").count()).toBe(0);
  });

  it("marks a test with a cross in a report if a framework reported its failure", async () => {
    await inspector.mock.reset({ label: "an earlier test" });
    await rotate(url(), "unknown");
    await inspector.mock.reset({ label: "the failed test" });
    const page = await inspector.openReport(inspector.mock, { title: "the failed test", framework: "Jest" });
    const tests = page.getByRole("region", { name: "Tests" });
    await tests.getByRole("link", { name: "Failed the failed test 0 requests" }).waitFor();
    await tests.getByRole("link", { name: /^an earlier test 1 request · 1 rejected/ }).click();
    await page.getByRole("heading", { name: "an earlier test" }).waitFor();
    expect(await tests.getByText("follow the latest").count()).toBe(0);
    await tests.getByRole("link", { name: /the failed test/ }).click();
    await page.getByText(`No request of this test reached the mock at ${url()}. Does your`).waitFor();
  });

  it("has no list of tests in a report of one test, and changes nothing there", async () => {
    await create(url(), "acme");
    const page = await inspector.openReport();
    await page.getByRole("article", { name: "Request 1" }).waitFor();
    expect(await page.getByRole("region", { name: "Tests" }).count()).toBe(0);
    for (const name of ["Reset", "Fail next"]) {
      expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    }
    // Neither what serves no reader of one test, nor the URL of a server that is gone.
    expect(await page.getByRole("tab", { name: /^Assumptions/ }).count()).toBe(0);
    expect(await page.getByText(url()).count()).toBe(0);
  });

  it("opens a report of many worlds on the newest one with a rejected request", async () => {
    const [good, bad, newest] = ["good", "bad", "newest"].map((name) => inspector.mock.world(name));
    for (const world of [good, bad, newest]) await create(world?.url ?? "", "acme");
    await rotate(bad?.url ?? "", "unknown");
    const page = await inspector.openReport(inspector.mock, undefined, true);
    await page.getByRole("heading", { name: "bad" }).waitFor();
    await page.getByRole("region", { name: "Tests" }).getByRole("link", { name: /^good/ }).click();
    await page.getByRole("heading", { name: "good" }).waitFor();
    await page.getByRole("tab", { name: /^Assumptions/ }).click();
    await page.getByRole("row", { name: /^old-token=rejected/ }).waitFor();
  });

  it("marks a failed test only in its own world, in a report of all worlds", async () => {
    const [own, other] = [inspector.mock.world("own"), inspector.mock.world("other")];
    for (const world of [own, other]) await create(world.url, "acme");
    const page = await inspector.openReport(own, { title: "own", error: "not equal" }, true);
    const rows = page.getByRole("region", { name: "Tests" }).getByRole("link");
    await rows.getByText("✗").first().waitFor();
    const marked = (await rows.allInnerTexts()).filter((text) => text.includes("✗"));
    expect(marked).toEqual([expect.stringContaining("own")]);
  });

  it("marks each failed attempt of a retried test in its report", async () => {
    const { mock } = inspector;
    for (const label of ["another test", "retried", "retried"]) {
      await mock.reset({ label });
      await create(url(), "acme");
    }
    const page = await inspector.openReport(mock, { title: "retried", attempt: 2, error: "not equal" });
    const rows = page.getByRole("region", { name: "Tests" }).getByRole("link");
    expect((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
      "✗ retried attempt 2 · 1 request",
      "✗ retried 1 request · before a reset",
      "another test 1 request · before a reset",
    ]);
  });

  it("opens the test with the latest request, follows it, and stays once the reader has chosen", async () => {
    const { mock } = inspector;
    const [first, second, third] = ["first", "second", "third"].map((name) => mock.world(name));
    for (const world of [first, second]) await create(world?.url ?? "", "acme");
    await first?.waitForRequest();
    await create(first?.url ?? "", "globex");
    const page = await inspector.open();
    await page.getByRole("main").getByRole("heading", { name: "first" }).waitFor();
    await create(second?.url ?? "", "globex");
    await page.getByRole("heading", { name: "second" }).waitFor();
    await page.getByRole("link", { name: /^#1 / }).click();
    await create(third?.url ?? "", "acme");
    const tests = page.getByRole("region", { name: "Tests" });
    await tests.getByRole("link", { name: /^third/ }).waitFor();
    expect(await page.getByRole("heading", { name: "second" }).isVisible()).toBe(true);
    await tests.getByRole("link", { name: "follow the latest" }).click();
    await page.getByRole("heading", { name: "third" }).waitFor();
  });

  it("opens the world of its URL, also while another one is busier", async () => {
    const { mock } = inspector;
    const [quiet, busy] = ["quiet", "busy"].map((name) => mock.world(name));
    await create(quiet?.url ?? "", "acme");
    await create(busy?.url ?? "", "acme");
    const page = await inspector.open("", quiet);
    const heading = page.getByRole("main").getByRole("heading", { name: "quiet" });
    await heading.waitFor();
    await create(busy?.url ?? "", "globex");
    await page.getByRole("link", { name: /^busy 2 requests/ }).waitFor();
    expect(await heading.isVisible()).toBe(true);
    await page.goto(`${url()}/worlds/default/__admin/`);
    await page.getByRole("main").getByRole("heading", { name: "default" }).waitFor();
  });

  it("keeps showing a test that the reader chose when its world is reset", async () => {
    await inspector.mock.reset({ label: "chosen" });
    await create(url(), "acme");
    const page = await inspector.open();
    await page.getByRole("link", { name: /^#1 / }).click();
    await inspector.mock.reset({ label: "next" });
    await create(url(), "globex");
    await page.getByText("before a reset", { exact: true }).waitFor();
    await page.getByRole("article", { name: "Request 1" }).getByText('"acme"').first().waitFor();
    expect(await page.getByRole("button", { name: "Reset" }).count()).toBe(0);
  });

  it("copies the URL that the client used", async () => {
    const { port } = new URL(url());
    await create(`http://localhost:${port}/worlds/w3`, "acme");
    const page = await inspector.open("#/requests/1", inspector.mock.world("w3"));
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied.").waitFor();
    expect(await inspector.copied(page)).toContain(`http://localhost:${port}/worlds/w3/api/user`);
  });

  it("holds two rotations, and releases them from the detail of one", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    const page = await inspector.open();
    await page.getByRole("button", { name: "Fail next" }).click();
    await page.getByRole("button", { name: "hold two rotations" }).click();
    await page.getByRole("status", { name: "Armed faults" }).getByText("hold rotate ×2").waitFor();
    const first = rotate(url(), token);
    await untilHeld(inspector.mock, 1);
    await page.getByRole("link", { name: /^#2 waiting rotate acme held \d+ s/ }).click();
    const detail = page.getByRole("article", { name: "Request 2" });
    await detail.getByText(/^It waits in the hold of/).waitFor();
    await detail.getByRole("button", { name: "Release" }).click();
    expect((await first).status).toBe(200);
    await detail.getByText("The token was rotated.").waitFor();
  });

  it("lists each request with its status, group, effect, cause, wait and time, and what was remarked", async () => {
    const { mock } = inspector;
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    await mock.fault({ status: 503 });
    await getOrCreate(url(), { user_group_id: "acme" });
    await mock.fault({ delayMs: 60 });
    await getOrCreate(url(), { user_group_id: "acme", propertys: {} });
    const page = await inspector.open();
    const rows = await page.locator(".rows a.row").allInnerTexts();
    // On a busy machine, others take longer than 50 ms, too.
    const shown = rows.map((row) =>
      row
        .replace(/,? +\d+ ms(?=\s*(·|$))/, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
    expect(rows[4]).toMatch(/delayed, \d+ ms/);
    expect(shown).toEqual([
      "#1 200 get-or-create acme created",
      "#2 200 rotate acme rotated",
      expect.stringMatching(
        /^#3 404 rotate acme stale token · The current_token was rotated out by request 2\./,
      ),
      expect.stringMatching(/^#4 503 get-or-create acme fault 1 · Fault 1 /),
      expect.stringMatching(/^#5 200 get-or-create acme found delayed · field propertys is not /),
    ]);
  });

  it("shows how often faults fired, also one that ended without firing, and what arms others", async () => {
    const { mock } = inspector;
    const hold = await mock.hold({ operation: "rotate" });
    await hold.release();
    await mock.fault({ status: 500 });
    await create(url(), "acme");
    await mock.fault({ status: 502, match: { user_group_id: "globex" }, times: 2 });
    await create(url(), "Globex");
    const page = await inspector.open("#/faults");
    const items = page.getByRole("region", { name: "Faults" }).getByRole("list").first().locator("> li");
    await expect.poll(() => items.count()).toBe(3);
    const [armed = "", ...ended] = await items.allInnerTexts();
    expect(armed.split("\n")[0]).toBe("Fault 3: any request globex → 502 ×2, fired 0 of 2");
    expect(armed).toContain('#2 came close: user_group_id was "Globex", not "globex"');
    expect(ended).toEqual([
      "Fault 2: any request → 500, fired 1 of 1 → #1",
      "Fault 1: hold rotate, fired 0 of 1",
    ]);
    await page.getByText("A test arms all others, with mock.fault().").waitFor();
  });

  it("marks the wrong lines of an invalid body, and what is missing in it", async () => {
    await getOrCreate(url(), { user_group_id: 5, mapping: { 40: "213", 41: 7 }, propertys: {} });
    await call("POST", `${url()}/api/user`, {});
    const page = await inspector.open("#/requests/1");
    const request = page.getByRole("region", { name: "Request", exact: true });
    await request.getByText("← must be string").first().waitFor();
    const marked = async () => (await request.locator("mark").allInnerTexts()).map((text) => text.trim());
    expect(await marked()).toEqual(['"user_group_id": 5,', '"41": 7']);
    // The cause has the remark already.
    const why = page.getByRole("region", { name: "What happened" }).getByRole("paragraph");
    expect(await why.allInnerTexts()).toEqual([expect.stringContaining("did you mean properties?")]);
    await page.keyboard.press("j");
    await request.getByText("← /current_token is required").waitFor();
    expect(await marked()).toEqual(["{}"]);
  });

  it("cuts long values, shows all of them on request, and keeps the buttons in sight", async () => {
    const long = "x".repeat(300);
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i}`, "y"]));
    await create(url(), "acme", { properties: { ...properties, long } });
    const page = await inspector.open("#/requests/1");
    const request = page.getByRole("region", { name: "Request", exact: true });
    await request.getByText(`"long": "${"x".repeat(200)}…"`).waitFor();
    const copy = page.getByRole("button", { name: "Copy as curl" });
    const { y = 0, height = 0 } = (await copy.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(800);
    await request.getByRole("button", { name: /^show all/ }).click();
    await request.getByText(`"long": "${long}"`).waitFor();
  });

  it("shows no band above a request if the verdict says everything", async () => {
    await rotate(url(), "unknown");
    const page = await inspector.openReport(inspector.mock, { title: "rotates", error: "HTTP 404" });
    await page.getByText("Likely cause:").waitFor();
    await page.getByRole("article", { name: "Request 1" }).waitFor();
    expect(await page.getByRole("region", { name: "What happened" }).count()).toBe(0);
  });

  it("shows every step of a group's life, as the detail of its requests does", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspector.open("#/requests/3");
    const life = page.getByRole("region", { name: "Life of the group" }).getByRole("listitem");
    await life.first().waitFor();
    const steps = ["created #1", "rotated #2", "stale token #3"];
    expect(await life.allInnerTexts()).toEqual(steps);
    await page.getByRole("tab", { name: /^Groups/ }).click();
    const row = page.getByRole("row", { name: /^acme/ });
    await row.waitFor();
    expect(await row.getByRole("listitem").allInnerTexts()).toEqual(steps);
    const ofSeed = page.getByRole("row", { name: /^example_1 team 3/ });
    expect(await ofSeed.getByRole("listitem").allInnerTexts()).toEqual(["in the seed"]);
  });

  it("shows what it assumes, and the flag that changes it; a chip of a request leads to its row", async () => {
    const { token } = (await create(url(), "acme")).body.user_group;
    await rotate(url(), token);
    await rotate(url(), token);
    const page = await inspector.open("#/requests/3");
    await page.getByRole("link", { name: "old-token=rejected" }).click();
    const used = page.getByRole("table", { name: "Assumed and used here" });
    const row = used.getByRole("row", { name: /^old-token=rejected decided 1 request/ });
    await expect.poll(() => row.getAttribute("aria-current")).toBe("true");
    expect(await page.evaluate("document.activeElement.innerText")).toContain("old-token=rejected");
    await row.getByText("--assume old-token=accepted").waitFor();
    const unused = page.getByRole("table", { name: "Assumed and not used here" });
    await unused.getByText("--assume unknown-fields=rejected").waitFor();
    // It is read-only.
    expect(await page.getByRole("tabpanel").getByRole("button").count()).toBe(0);
  });

  it("searches everything of a request, and filters by how it ended", async () => {
    await create(url(), "acme", { properties: { region: "EU" } });
    await create(url(), "globex");
    await rotate(url(), "unknown");
    const page = await inspector.open();
    const rows = page.getByRole("region", { name: "Requests" }).getByRole("link");
    await page.getByRole("searchbox", { name: "Search requests" }).fill("region eu");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("acme")]);
    await page.getByRole("searchbox", { name: "Search requests" }).fill("");
    await page.getByRole("radio", { name: "Rejected 1" }).check();
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("unknown token")]);
  });

  it("shows what a client sent as inert text", async () => {
    const id = `</script><img src=x onerror="document.title='hacked'">`;
    await create(url(), id, { properties: { "</pre><b>": "\u202Ereversed" } });
    await inspector.mock.reset({ label: id });
    await create(url(), id);
    const page = await inspector.open("#/requests/1");
    await page.getByRole("article").getByText(id).first().waitFor();
    await page.getByRole("tab", { name: /^Groups/ }).click();
    await page.getByRole("row").filter({ hasText: id }).waitFor();
    await inspector.newContext({});
    const report = await inspector.openReport();
    await report.getByRole("link", { name: /^#1 / }).click();
    await report.getByRole("article").getByText(id).first().waitFor();
    for (const opened of [page, report]) {
      expect(await opened.locator("img").count()).toBe(0);
      expect(await opened.title()).toContain("usergroup-mock");
    }
  });
});

describe("the inspector of a mock with a profile", () => {
  const inspector = useInspector({
    profile: {
      verified: { against: "https://service.example", on: "2026-11-18" },
      situations: {
        "user_group_id: long": { over: 64, status: 422 },
        "current_token: previous": "accepted",
        created: { status: 201 },
      },
    },
  });

  it("shows what is known and what is assumed, and a chip of a request leads to its row", async () => {
    const { mock } = inspector;
    const { token } = (await create(mock.url, "acme")).body.user_group;
    await rotate(mock.url, token);
    await rotate(mock.url, token);
    await getOrCreate(mock.url, { user_group_id: "globex", name: null });
    await mock.assume({ "name: null": "accepted" });
    const page = await inspector.open("#/requests/3");
    const detail = page.getByRole("article", { name: "Request 3" });
    await detail.getByText("Known:").waitFor();
    await detail.getByRole("link", { name: "current_token: previous" }).click();
    const known = page.getByRole("table", {
      name: "Known from the profile, seen at https://service.example on 2026-11-18",
    });
    const names = async (table: Locator) =>
      (await table.getByRole("rowheader").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    expect(await names(known)).toEqual([
      // The response to another invalid body is like it.
      "user_group_id: long=rejected limit: 64 decided 1 request",
      "created decided 1 request",
      "current_token: previous=accepted decided 1 request",
    ]);
    const row = known.getByRole("row", { name: /^current_token: previous/ });
    await row.getByText('--assume "current_token: previous=rejected"').waitFor();
    await expect.poll(() => row.getAttribute("aria-current")).toBe("true");
    const used = page.getByRole("table", { name: "Assumed and used here" });
    expect(await names(used)).toContain("rotated-token=new decided 2 requests");
    expect((await names(used)).filter((name) => name.startsWith("name: null"))).toEqual([
      "name: null=accepted default: rejected decided 1 request",
    ]);
    const unused = page.getByRole("table", { name: "Assumed and not used here" });
    // A profile has only one of its situations.
    await unused.getByText("current_token: previous → accepted (known)").waitFor();
  });
});
