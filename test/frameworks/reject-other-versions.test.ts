import { describe, expect, it } from "vitest";
import { rejectOtherVersions } from "../../src/frameworks/reject-other-versions.js";

describe("rejectOtherVersions", () => {
  const check = (version?: string) => rejectOtherVersions("x 3.2 and 4", /^(3\.([2-9]|\d\d)|4)\./, version);

  it.each(["3.2.0", "3.10.1", "4.0.0-beta.1", "4.1.12", undefined, "workspace"])(
    "accepts version %s",
    (version) => {
      expect(() => check(version)).not.toThrow();
    },
  );

  it.each(["2.1.9", "3.1.4", "5.0.0", "40.0.0"])("rejects version %s with the supported range", (version) => {
    expect(() => check(version)).toThrow(
      `usergroup-mock works with x 3.2 and 4, but this is ${version}. Install one of these, or use startMock() in a hook.`,
    );
  });
});
