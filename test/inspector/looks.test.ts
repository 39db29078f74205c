import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { create, getOrCreate, rotate } from "../call.js";
import { inspect } from "./inspected.js";

/** Ways of looking: every width, also that of a page enlarged four times, in two of the four kinds of colours. */
const looks = [
  { colorScheme: "light", forcedColors: "none", width: 320, height: 256 },
  { colorScheme: "dark", forcedColors: "active", width: 320, height: 256 },
  { colorScheme: "dark", forcedColors: "none", width: 360, height: 740 },
  { colorScheme: "light", forcedColors: "active", width: 360, height: 740 },
  { colorScheme: "light", forcedColors: "none", width: 790, height: 600 },
  { colorScheme: "dark", forcedColors: "active", width: 790, height: 600 },
  { colorScheme: "dark", forcedColors: "none", width: 1100, height: 700 },
  { colorScheme: "light", forcedColors: "active", width: 1100, height: 700 },
  { colorScheme: "light", forcedColors: "none", width: 1920, height: 1080 },
  { colorScheme: "dark", forcedColors: "active", width: 1920, height: 1080 },
] as const;

const hashes = [
  "#/requests",
  "#/requests?timeline",
  "#/requests/2?epoch=2",
  "#/requests/3?epoch=2&with=1",
  "#/requests?send",
  "#/requests?epoch=1",
  "#/groups?team=3&group=a",
  "#/faults/2",
  "#/assumptions/old-token",
  "#/worlds",
];

describe("the looks of the inspector", () => {
  const inspected = inspect();
  const url = () => inspected.mock.url;

  it.each(looks)(
    "are without fault, and nothing is cut off: $colorScheme, forced colours $forcedColors, $width × $height",
    async ({ width, height, ...media }) => {
      await playThrough();
      await inspected.look({ viewport: { width, height }, ...media });
      const page = await inspected.open();
      // Of the two looks of a width, each view gets one: so it meets every width, and all kinds of colours.
      const look = looks.findIndex((one) => one.width === width && one.colorScheme === media.colorScheme);
      for (const hash of hashes.filter((_, view) => (view + Math.floor(look / 2)) % 2 === look % 2)) {
        await page.goto(`${url()}/__admin/${hash}`);
        await page.getByText("live", { exact: true }).waitFor();
        await page.locator(expectedAt(hash)).first().waitFor();
        expect(await violations(page), hash).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), hash).toBe(width);
        expect(await page.evaluate(tooWide), hash).toEqual([]);
      }
    },
  );

  it("leave room for the list when the page is enlarged four times", async () => {
    await playThrough();
    await inspected.look({ viewport: { width: 320, height: 256 } });
    const page = await inspected.open();
    const list = await page.locator(".journal-list").boundingBox();
    expect(list?.height).toBeGreaterThan(150);
    await page
      .getByRole("link", { name: /^get-or-create|#1\b/ })
      .first()
      .scrollIntoViewIfNeeded();
  });

  it("tell without colours of their own which row is open, which filter is chosen and what failed", async () => {
    await playThrough();
    await inspected.look({ forcedColors: "active" });
    const page = await inspected.open("#/requests/2?epoch=2");
    await page.getByRole("article", { name: "Request 2" }).waitFor();
    const styleOf = async (selector: string, name: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(name)}]`,
      );
    expect(await styleOf(".row[aria-current]", "outlineStyle")).toBe("solid");
    expect(await styleOf(".row:not([aria-current])", "outlineStyle")).toBe("none");
    expect(await styleOf(".row.failure", "borderLeftWidth")).toBe("8px");
    expect(await styleOf(".row.success", "borderLeftWidth")).toBe("0px");
    const [chosen, other] = await Promise.all([
      styleOf(".choices input:checked + span", "backgroundColor"),
      styleOf(".choices input:not(:checked) + span", "backgroundColor"),
    ]);
    expect(chosen).not.toBe(other);
  });

  it("show on paper every row, or the whole of an open call", async () => {
    for (let n = 0; n < 80; n++) await create(url(), `g${n}`);
    const page = await inspected.open();
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => page.getByRole("listitem").count()).toBe(80);
    expect(await page.getByRole("button", { name: "Reset" }).isVisible()).toBe(false);
    const last = await page.getByRole("listitem").last().boundingBox();
    expect(last?.y).toBeGreaterThan(1_500);
    await page.goto(`${url()}/__admin/#/requests/1?epoch=1`);
    await page.getByRole("article", { name: "Request 1" }).getByText('"g0"').first().waitFor();
    expect(await page.locator(".journal-list").isVisible()).toBe(false);
  });

  it("keep the focus on a phone: in the call that was opened, and on its row when it is closed", async () => {
    await playThrough();
    await inspected.look({ viewport: { width: 360, height: 740 } });
    const page = await inspected.open();
    const focused = () => page.evaluate("document.activeElement.textContent.slice(0, 40)");
    await page.getByRole("link", { name: /404/ }).click();
    await page.getByRole("article").waitFor();
    await expect.poll(focused).toContain("rotate");
    await page.getByRole("link", { name: "Close" }).click();
    await expect.poll(focused).toMatch(/#2/);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("A");
  });

  it("show what cannot be seen, and let no text turn around what is beside it", async () => {
    const tricky = "abc\u202etxt.exe\u200b\u0007 שלום";
    await create(url(), tricky, { properties: { שלום: "עולם" } });
    const page = await inspected.open("#/requests/1?epoch=1");
    const body = page.getByRole("region", { name: "Request body" });
    await body.waitFor();
    expect(await body.locator(".unseen").allInnerTexts()).toContain("\\u202e");
    expect(await page.locator(".row .unseen").allInnerTexts()).toEqual(
      expect.arrayContaining(["\\u202e", "\\u200b", "\\u0007"]),
    );
    // The key stands left of its value, whatever their directions are.
    const key = await body.locator(".key", { hasText: "שלום" }).boundingBox();
    const value = await body.locator(".string", { hasText: "עולם" }).boundingBox();
    expect(key?.x).toBeLessThan(value?.x ?? 0);
    await page.goto(`${url()}/__admin/#/groups`);
    await page.locator(".groups .unseen").first().waitFor();
  });

  it("stay as wide as the window, however long a name is", async () => {
    await create(url(), "x".repeat(2_000), { name: "n".repeat(95_000) });
    for (const width of [1080, 1160, 1500]) {
      await inspected.look({ viewport: { width, height: 700 } });
      const page = await inspected.open("#/groups");
      await page.locator(".groups tbody tr").nth(5).waitFor();
      expect(
        await page.evaluate("document.querySelector('.scroll').scrollWidth"),
        String(width),
      ).toBeLessThanOrEqual(width);
      await page.close();
    }
  });

  it("say that the mock does not answer, and keep what is known", async () => {
    inspected.mayComplainOf("net::ERR");
    const mock = await startMock();
    await create(mock.url, "kept");
    const page = await (await inspected.look({})).newPage();
    await page.goto(`${mock.url}/__admin/#/worlds`);
    await page.getByText("1 test", { exact: true }).waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    await mock.stop();
    await page.getByText("reconnecting").waitFor();
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: "Arm it" }).click();
    await page.getByText("The mock does not answer. It may have been stopped.").waitFor();
    await page.getByRole("link", { name: "Tests" }).click();
    expect(await page.getByText("0 tests").count()).toBe(0);
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("kept").first().waitFor();
  });

  it("fetch no groups while nobody looks at them", async () => {
    const page = await inspected.open();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    for (let n = 0; n < 20; n++) await create(url(), `g${n}`);
    await page.getByRole("link", { name: /^#20 / }).waitFor();
    await page.getByRole("link", { name: "Groups 25" }).waitFor();
    expect(asked.filter((path) => /groups|state/.test(path))).toEqual([]);
    await page.getByRole("link", { name: "Groups 25" }).click();
    await page.getByRole("rowheader", { name: "g19" }).waitFor();
  });

  it("stay paused while another view is open", async () => {
    await create(url(), "before");
    const page = await inspected.open();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("link", { name: "Groups" }).click();
    await create(url(), "meanwhile");
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByRole("button", { name: "Resume (1 new)" }).waitFor();
    expect(await page.getByText("meanwhile").count()).toBe(0);
  });

  /** An earlier test, and one with a failure, a fault, a held call, long names and a changed assumption. */
  async function playThrough(): Promise<void> {
    const { mock } = inspected;
    await rotate(url(), "stale");
    await mock.reset({
      label: "a test with a name that is longer than most, so that it does not fit on a phone",
    });
    const sent = {
      user_group_id: "a",
      name: "A".repeat(80),
      mapping: { "40": "x".repeat(90) },
      propertys: 1,
    };
    await getOrCreate(url(), sent);
    await rotate(url(), "b".repeat(64));
    await mock.fault({ status: 503, match: { user_group_id: "a" } });
    await getOrCreate(url(), { user_group_id: "a" });
    const held = await mock.hold();
    getOrCreate(url(), { user_group_id: "held", name: "Held" }).catch(() => {});
    await held.arrived;
    await mock.assume({ "created-status": "201" });
  }

  /** What is in a view once it is complete. */
  function expectedAt(hash: string): string {
    if (hash.includes("with=")) return ".diff";
    if (hash.includes("send")) return ".send";
    if (/requests\/\d/.test(hash)) return ".sides .json";
    return (
      { groups: ".life", faults: ".target", assumptions: ".target", worlds: ".causes" }[
        hash.split(/[/?]/)[1] ?? ""
      ] ?? ".row"
    );
  }

  /** Elements whose content does not fit, and cannot be scrolled to or is cut without an ellipsis. */
  const tooWide = `[...document.querySelectorAll("main, main .scroll, .entry, .top, .top nav, .tools, .choices, .status")]
    .filter((e) => e.offsetParent !== null && e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.className || e.tagName)`;

  async function violations(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    const found = (await page.evaluate("axe.run()")) as {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    };
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`),
    );
  }
});
