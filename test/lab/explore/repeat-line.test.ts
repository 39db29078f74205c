import { describe, expect, it } from "vitest";
import { failureChanges } from "../../../src/lab/explore/changes.js";
import { repeatLine } from "../../../src/lab/explore/repeat-line.js";

const change = { name: "created-status=200", of: "created-status", to: "200" };

describe("the command that repeats a run of explore", () => {
  it("does not contain the admin token", () => {
    const serverFlags = { adminToken: "sesame", seed: "s" };
    const line = repeatLine({ serverFlags, argv: ["npm", "test"] }, change);
    expect(line).toMatch(/^npx usergroup-mock exec --admin-token '<token>' --seed s --assume /);
  });

  it("has the changed assumption in place of the given value", () => {
    const serverFlags = { assume: ["old-token=accepted", "created-status=201"] };
    const line = repeatLine({ serverFlags, argv: ["npm", "test"] }, change);
    expect(line).toBe(
      "npx usergroup-mock exec --assume old-token=accepted --assume created-status=200 -- npm test",
    );
  });

  it("has the failure of a request, flags without a value, and each value of a list", () => {
    const [failure = expect.fail()] = failureChanges(["rotate:a%20b#2"], ["lost"], []);
    const serverFlags = { exitWithParent: true, set: ["A={url}", "B=x y"] };
    expect(repeatLine({ serverFlags, argv: ["npm", "test"] }, failure)).toBe(
      "npx usergroup-mock exec --exit-with-parent --set A={url} --set 'B=x y' --inject rotate:a%20b#2=lost -- npm test",
    );
  });

  it.each([
    ["it's", "'it'\\''s'"],
    ["", "''"],
    ["#x", "'#x'"],
    ["x#1", "x#1"],
    ["{a,b}", "'{a,b}'"],
    ["{1..3}", "'{1..3}'"],
    ["{url}", "{url}"],
    ["~", "'~'"],
    ["$HOME", "'$HOME'"],
    ["a;b", "'a;b'"],
  ])("quotes a word that a shell would change: %s", (word, quoted) => {
    const line = repeatLine({ serverFlags: {}, argv: ["npm", word] }, change);
    expect(line.replace(/.* -- npm /, "")).toBe(quoted);
  });
});
