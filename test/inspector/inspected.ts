import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from "vitest";
import { type Mock, startMock, type World } from "../../src/index.js";
import { flags } from "./find-browser.mjs";

const executablePath = inject("browser");

/** A mock of its own for every test, and pages that show it. */
export interface Inspected {
  readonly mock: Mock;
  /** Opens the inspector of a world once it is live. */
  open(hash?: string, world?: World): Promise<Page>;
  /** Another way of looking: dark, narrow … */
  look(options: Parameters<Browser["newContext"]>[0]): Promise<BrowserContext>;
  /** What the page has copied last. */
  copied(page: Page): Promise<string>;
  /** What pages complained of: errors, and what the content security policy refused. */
  readonly complaints: string[];
  /** In this test, pages may complain of this any number of times, also after the last check: nobody knows when. */
  mayComplainOf(words: string): void;
}

/** Called in a `describe`; afterwards no page may have complained of anything. */
export function inspect(): Inspected {
  let browser: Browser;
  let mock: Mock;
  let context: BrowserContext;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  let expected: string | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    expected = undefined;
    mock = await startMock();
    context = await look({});
  });
  afterEach(async () => {
    for (const opened of contexts.splice(0)) await opened.close();
    await mock.stop();
    const found = complaints.splice(0);
    expect(found.filter((text) => expected === undefined || !text.includes(expected))).toEqual([]);
  });

  async function look(options: Parameters<Browser["newContext"]>[0]): Promise<BrowserContext> {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    context.on("page", (page) => {
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
    });
    contexts.push(context);
    return context;
  }

  return {
    get mock() {
      return mock;
    },
    complaints,
    mayComplainOf(words) {
      expected = words;
    },
    look,
    async open(hash = "", world = mock) {
      const page = await context.newPage();
      await page.goto(`${world.url}/__admin/${hash}`);
      await page.getByText("live", { exact: true }).waitFor();
      return page;
    },
    copied: (page) => page.evaluate("navigator.clipboard.readText()") as Promise<string>,
  };
}
