import type { TestProject } from "vitest/node";
import { findBrowser, howToGetOne } from "./find-browser.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a Chromium; empty where there is none. */
    browser: string;
  }
}

/** Looks for a browser once for all tests. Without one they are skipped, but for CI, where nobody would notice. */
export function setup({ provide }: TestProject): void {
  const browser = findBrowser();
  if (browser === undefined && isSet(process.env.CI)) {
    throw new Error(`There is no browser for the inspector's tests, and CI is set: ${howToGetOne}.`);
  }
  if (browser === undefined) {
    console.warn(`The inspector's tests in a browser are skipped, because there is none: ${howToGetOne}.`);
  }
  provide("browser", browser ?? "");
}

const isSet = (value: string | undefined) => value !== undefined && !["", "0", "false"].includes(value);
