import { describe, expect, it } from "vitest";
import { frameworkService, type Style } from "../lab/verify/framework-service.js";
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

describe("what verify prints", () => {
  const apiToken = "api-token-of-two";
  const nasty = `\u001b[2J\u009b2J\u202e\u{e0061}\r\n::error::${apiToken}`;
  const verify = (url: string, ...more: string[]) =>
    runHere(["verify", "--against", url, "--api-token", apiToken, "--yes", ...more]);
  /** Control characters, but not the new lines. */
  const control = /(?!\n)[\p{Cc}\p{Cf}]/u;
  const breaksFactsAndNames: Style["deviate"] = (correct, { json }) => {
    const { success, user_group } = Object(correct.body);
    const renamed = String(json.name).endsWith("renamed") ? { ...user_group, name: nasty } : user_group;
    return success === 1
      ? { ...correct, body: { success, user_group: renamed, [nasty]: nasty, new_user_group: nasty } }
      : { status: 400, body: { success: 0, nasty } };
  };

  it("has no control character and no API token of a response", async () => {
    await using server = await frameworkService({
      reject: () => ({ status: 400, body: {} }),
      deviate: breaksFactsAndNames,
    });
    const { code, stdout } = await verify(server.url);
    expect(code).toBe(1);
    expect(stdout).not.toMatch(control);
    expect(stdout).not.toContain(apiToken);
    const shown = "\\u001b[2J\\u009b2J\\u202e\\udb40\\udc61\\u000d\\u000a::error::[token]";
    expect(stdout).toContain(`new_user_group was "${shown.slice(0, 9)}`);
    expect(stdout).toMatch(/existing-group +not determinable +.*new_user_group was "\\u001b/);
  });
});

describe("exec", () => {
  it("rejects the flag --exit-with-parent", async () => {
    const { code, stderr } = await runHere(["exec", "--exit-with-parent", "--", process.execPath, "-v"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Unknown argument: exit-with-parent.")]);
  });
});
