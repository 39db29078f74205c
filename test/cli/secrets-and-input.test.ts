import { describe, expect, it } from "vitest";
import { runHere } from "./run-here.js";

describe("a message does not repeat a secret", () => {
  it.each([
    ["URL", "http://user:s3cret@127.0.0.1:1", "t", "without /api/user, ?, # and @"],
    ["API token", "http://127.0.0.1:9", "s3cret\n", "must consist of printable ASCII characters"],
  ])("of the %s for verify", async (_, against, apiToken, words) => {
    const env = { USERGROUP_MOCK_VERIFY_API_TOKEN: apiToken };
    const { code, stdout, stderr } = await runHere(["verify", "--against", against, "--yes"], { env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("s3cret");
  });
});

describe("exec", () => {
  it("rejects the flag --exit-with-parent", async () => {
    const { code, stderr } = await runHere(["exec", "--exit-with-parent", "--", process.execPath, "-v"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Unknown argument: exit-with-parent.")]);
  });
});
