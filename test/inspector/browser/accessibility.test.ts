import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { create, getOrCreate, rotate } from "../../call.js";
import { useInspector } from "../use-inspector.js";

/** Every width, including that of 400 % zoom, with two of the four colour modes each. */
const modes = [
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

describe("inspector accessibility", () => {
  const inspector = useInspector();
  const url = () => inspector.mock.url;

  it.each(modes)(
    "has no axe violations and no cut content: $colorScheme, forced colors $forcedColors, $width × $height",
    async ({ width, height, ...media }) => {
      await fillWorld();
      await inspector.newContext({ viewport: { width, height }, ...media });
      const page = await inspector.open();
      // Each view is tested at every width, in one of the two modes of that width.
      const mode = modes.findIndex((one) => one.width === width && one.colorScheme === media.colorScheme);
      for (const hash of hashes.filter((_, view) => (view + Math.floor(mode / 2)) % 2 === mode % 2)) {
        await page.goto(`${url()}/__admin/${hash}`);
        await page.getByText("live", { exact: true }).waitFor();
        await page.locator(expectedAt(hash)).first().waitFor();
        expect(await violations(page), hash).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), hash).toBe(width);
        expect(await page.evaluate(tooWide), hash).toEqual([]);
      }
    },
  );

  it("leaves enough height for the list at 400 % zoom", async () => {
    await fillWorld();
    await inspector.newContext({ viewport: { width: 320, height: 256 } });
    const page = await inspector.open();
    const list = await page.locator(".journal-list").boundingBox();
    expect(list?.height).toBeGreaterThan(150);
    await page
      .getByRole("link", { name: /^get-or-create|#1\b/ })
      .first()
      .scrollIntoViewIfNeeded();
  });

  it("marks the open row, the chosen filter and failures without colours", async () => {
    await fillWorld();
    await inspector.newContext({ forcedColors: "active" });
    const page = await inspector.open("#/requests/2?epoch=2");
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

  it("moves the focus to an opened entry and back to its row on a phone", async () => {
    await fillWorld();
    await inspector.newContext({ viewport: { width: 360, height: 740 } });
    const page = await inspector.open();
    const focused = () => page.evaluate("document.activeElement.textContent.slice(0, 40)");
    await page.getByRole("link", { name: /404/ }).click();
    await page.getByRole("article").waitFor();
    await expect.poll(focused).toContain("rotate");
    await page.getByRole("link", { name: "Close" }).click();
    await expect.poll(focused).toMatch(/#2/);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("A");
  });

  it("shows invisible characters, and isolates text of another direction", async () => {
    const tricky = "abc\u202etxt.exe\u200b\u0007 שלום";
    await create(url(), tricky, { properties: { שלום: "עולם" } });
    const page = await inspector.open("#/requests/1?epoch=1");
    const body = page.getByRole("region", { name: "Request body" });
    await body.waitFor();
    expect(await body.locator(".invisible").allInnerTexts()).toContain("\\u202e");
    expect(await page.locator(".row .invisible").allInnerTexts()).toEqual(
      expect.arrayContaining(["\\u202e", "\\u200b", "\\u0007"]),
    );
    // The key is left of its value, whatever their directions are.
    const key = await body.locator(".key", { hasText: "שלום" }).boundingBox();
    const value = await body.locator(".string", { hasText: "עולם" }).boundingBox();
    expect(key?.x).toBeLessThan(value?.x ?? 0);
    await page.goto(`${url()}/__admin/#/groups`);
    await page.locator(".groups .invisible").first().waitFor();
  });

  /** An earlier test, and one with a failure, a fault, a held request, long names and a changed assumption. */
  async function fillWorld(): Promise<void> {
    const { mock } = inspector;
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

  /** Selects an element that is there when a view is complete. */
  function expectedAt(hash: string): string {
    if (hash.includes("with=")) return ".diff";
    if (hash.includes("send")) return ".send";
    if (/requests\/\d/.test(hash)) return ".sides .json";
    return (
      { groups: ".lifecycle", faults: ".target", assumptions: ".target", worlds: ".tests .failed" }[
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
