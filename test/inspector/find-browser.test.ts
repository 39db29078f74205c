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

describe("a browser is found", () => {
  it("at CHROME_PATH, and nowhere else when there is none", () => {
    const there = program("own/my-chrome");
    const PATH = dirname(program("bin/chromium"));
    expect(findBrowser({ CHROME_PATH: there, PATH }, "linux")).toBe(there);
    expect(findBrowser({ CHROME_PATH: join(folder, "missing"), PATH }, "linux")).toBe(undefined);
  });

  it("on PATH", () => {
    const there = program("second/google-chrome");
    expect(findBrowser({ PATH: [join(folder, "first"), dirname(there)].join(delimiter) }, "linux")).toBe(
      there,
    );
  });

  it("where macOS has applications of a user", () => {
    for (const name of ["HOME", "USERPROFILE"]) vi.stubEnv(name, folder);
    const there = program("Applications/Chromium.app/Contents/MacOS/Chromium");
    // A Mac has one of its own before it.
    expect(findBrowser({}, "darwin")).toMatch(
      process.platform === "darwin" ? /^\/Applications|^\/.*Chromium$/ : there,
    );
  });

  it("where Windows installs programs", () => {
    const there = program("Local/Google/Chrome/Application/chrome.exe");
    expect(findBrowser({ LOCALAPPDATA: join(folder, "Local") }, "win32")).toBe(there);
  });
});
