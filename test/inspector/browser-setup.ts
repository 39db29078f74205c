import type { TestProject } from "vitest/node";
import { findBrowser } from "./find-browser.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a Chromium; empty where there is none. */
    browser: string;
  }
}

/** Looks for a browser once for all tests, and says it where there is none. */
export function setup({ provide }: TestProject): void {
  const browser = findBrowser();
  provide("browser", browser ?? "");
  if (browser === undefined) {
    console.log(
      "The inspector's browser tests did not run: no Chromium was found on PATH or at CHROME_PATH, and none could be installed.",
    );
  }
}
