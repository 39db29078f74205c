import { describe, expect, it } from "vitest";
import { repeatLine } from "../../../src/lab/explore/repeat-line.js";

describe("the command that repeats a run of explore", () => {
  it("does not contain the admin token", () => {
    const serverFlags = { adminToken: "sesame", seed: "s" };
    const line = repeatLine({ serverFlags, argv: ["npm", "test"] }, {});
    expect(line).toBe("npx usergroup-mock exec --admin-token '<token>' --seed s -- npm test");
  });

  it("has the changed assumption in place of the given value", () => {
    const serverFlags = { assume: ["old-token=accepted", "created-status=201"] };
    const line = repeatLine({ serverFlags, argv: ["npm", "test"] }, { assume: { "created-status": "200" } });
    expect(line).toBe(
      "npx usergroup-mock exec --assume old-token=accepted --assume created-status=200 -- npm test",
    );
  });
});
