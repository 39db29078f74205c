import { describe, expect, it } from "vitest";
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
});
