import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { findBrowser } from "./find-browser.mjs";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-browsers-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

function program(path: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "", { mode: 0o755 });
  return file;
}

describe("findBrowser", () => {
  it("uses CHROME_PATH, and nothing else if that file is missing", () => {
    const browser = program("own/my-chrome");
    const PATH = dirname(program("bin/chromium"));
    expect(findBrowser({ CHROME_PATH: browser, PATH }, "linux")).toBe(browser);
    expect(findBrowser({ CHROME_PATH: join(folder, "missing"), PATH }, "linux")).toBe(undefined);
  });

  it("finds a browser on PATH", () => {
    const browser = program("second/google-chrome");
    expect(findBrowser({ PATH: [join(folder, "first"), dirname(browser)].join(delimiter) }, "linux")).toBe(
      browser,
    );
  });

  it("finds a browser in the Applications folder of a macOS user", () => {
    for (const name of ["HOME", "USERPROFILE"]) vi.stubEnv(name, folder);
    const browser = program("Applications/Chromium.app/Contents/MacOS/Chromium");
    // On a Mac, a browser in /Applications comes first.
    expect(findBrowser({}, "darwin")).toMatch(
      process.platform === "darwin" ? /^\/Applications|^\/.*Chromium$/ : browser,
    );
  });

  it("finds a browser in the program folders of Windows", () => {
    const browser = program("Local/Google/Chrome/Application/chrome.exe");
    expect(findBrowser({ LOCALAPPDATA: join(folder, "Local") }, "win32")).toBe(browser);
  });
});
