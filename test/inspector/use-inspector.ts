import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import axe from "axe-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from "vitest";
import { type FailedTest, type Mock, type MockOptions, startMock, type World } from "../../src/index.js";
import { flags } from "./find-browser.mjs";

const executablePath = inject("browser");

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** A new mock for every test, and pages that show it. */
export interface Inspector {
  readonly mock: Mock;
  /** Opens the inspector of a world and waits until it is live. */
  open(hash?: string, world?: World): Promise<Page>;
  /**
   * Opens a report of a world from a file, without server and network.
   * @param test the failed test that it is about
   */
  openReport(world?: World, test?: FailedTest, all?: boolean): Promise<Page>;
  /** Opens a report, without server and network. */
  openFile(path: string): Promise<Page>;
  /** Later pages open in this context: dark, narrow … */
  newContext(options: ContextOptions): Promise<BrowserContext>;
  /** The text in the clipboard. */
  copied(page: Page): Promise<string>;
  /** Errors of pages, including violations of the content security policy. */
  readonly pageErrors: string[];
  /** Allows any number of page errors with this text in the current test. */
  allowPageErrors(text: string): void;
}

/** How often the reader has clicked in a page. */
export function clicksIn(page: Page): Promise<unknown> {
  return page.evaluate("window.clicks");
}

/** What axe finds in a page. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}

const countClicks = `window.clicks = 0;
addEventListener("click", ({ isTrusted }) => { if (isTrusted) window.clicks++; }, true);`;

/** Resolves once so many requests are held in a world. */
export async function untilHeld(world: World, wanted: number): Promise<void> {
  const held = async () => (await world.faults()).reduce((sum, { holding }) => sum + holding, 0);
  await expect.poll(held).toBe(wanted);
}

/** Call it in a `describe`. A test fails if one of its pages reports an error. */
export function useInspector(options: MockOptions = {}): Inspector {
  let browser: Browser;
  let mock: Mock;
  let context: BrowserContext;
  let folder: string;
  const contexts: BrowserContext[] = [];
  const pageErrors: string[] = [];
  let allowed: string | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: flags });
    folder = await mkdtemp(join(tmpdir(), "usergroup-mock-inspector-"));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    allowed = undefined;
    mock = await startMock(options);
    context = await newContext({});
  });
  afterEach(async () => {
    for (const opened of contexts.splice(0)) await opened.close();
    await mock.stop();
    const errors = pageErrors.splice(0);
    expect(errors.filter((text) => allowed === undefined || !text.includes(allowed))).toEqual([]);
  });

  async function newContext(options: ContextOptions): Promise<BrowserContext> {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    await context.addInitScript(countClicks);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    context.on("page", (page) => {
      page.on("pageerror", ({ message }) => pageErrors.push(message));
      page.on("console", (message) => {
        if (message.type() === "error") pageErrors.push(message.text());
      });
    });
    contexts.push(context);
    return context;
  }

  return {
    get mock() {
      return mock;
    },
    pageErrors,
    allowPageErrors(text) {
      allowed = text;
    },
    newContext,
    async open(hash = "", world = mock) {
      const page = await context.newPage();
      await page.goto(`${world.url}/__admin/${hash}`);
      await page.getByText("live", { exact: true }).waitFor();
      return page;
    },
    async openReport(world = mock, test, all = false) {
      const file = join(folder, "report.html");
      await world.saveReport({ path: file, ...(all && { worlds: "all" }), ...(test && { test }) });
      return this.openFile(file);
    },
    async openFile(file) {
      await context.setOffline(true);
      const page = await context.newPage();
      page.on("request", (request) => {
        if (!request.url().startsWith("file:")) pageErrors.push(`requested ${request.url()}`);
      });
      await page.goto(pathToFileURL(file).href);
      await page.getByText("report of").waitFor();
      return page;
    },
    copied: (page) => page.evaluate("navigator.clipboard.readText()") as Promise<string>,
  };
}
