import type { TestProject } from "vitest/node";
import { findBrowser, howToGetOne } from "./find-browser.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a Chromium. */
    browser: string;
  }
}

/** Finds a browser once for all tests. */
export function setup({ provide }: TestProject): void {
  const browser = findBrowser();
  if (browser === undefined) throw new Error(`No browser found. To run these tests, ${howToGetOne}.`);
  provide("browser", browser);
}
