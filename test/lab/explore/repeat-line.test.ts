import { describe, expect, it } from "vitest";
import { repeatLine } from "../../../src/lab/explore/repeat-line.js";

describe("the command that repeats a run of explore", () => {
  it("does not contain the admin token", () => {
    const serverFlags = { adminToken: "sesame", seed: "s" };
    const line = repeatLine({ serverFlags, argv: ["npm", "test"] }, {});
    expect(line).toBe("npx usergroup-mock exec --admin-token '<token>' --seed s -- npm test");
  });
});
