import { afterEach, describe, expect, it, vi } from "vitest";
import { quoteForCmd, startPlan } from "../../src/lab/run-command.js";

afterEach(() => vi.unstubAllGlobals());

describe("a command on Windows", () => {
  it.each([
    ["test", '^"test^"'],
    ["", '^"^"'],
    ['console.log("a b")', String.raw`^"console.log^(\^"a^ b\^"^)^"`],
    ["a&b|c<d>e", '^"a^&b^|c^<d^>e^"'],
    ["%PATH% !x! ^", '^"^%PATH^%^ ^!x^!^ ^^^"'],
    // Backslashes are doubled before a quote only.
    [String.raw`back\slash`, String.raw`^"back\slash^"`],
    ["end\\", String.raw`^"end\\^"`],
    [String.raw`end\"`, String.raw`^"end\\\^"^"`],
  ])("gets an argument unchanged through cmd.exe and its own C library: %s", (word, quoted) => {
    expect(quoteForCmd(word)).toBe(quoted);
  });

  it("runs in cmd.exe, because npm is a script there", () => {
    vi.stubGlobal("process", { platform: "win32", env: {} });
    const { args, options } = startPlan("npm", ["test"], true);
    expect(args).toEqual(["/d", "/s", "/c", '"^"npm^" ^"test^""']);
    expect(options).toMatchObject({ windowsVerbatimArguments: true, windowsHide: true });
  });
});
