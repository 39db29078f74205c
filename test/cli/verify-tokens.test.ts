import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { FlagsOf } from "../../src/cli/commands.js";
import { verifyTokens } from "../../src/cli/verify/verify-tokens.js";
import { facts } from "../../src/conformance/facts.js";
import { startMock } from "../../src/index.js";
import { runHere } from "./run-here.js";
import { runLongCli } from "./run-long-cli.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-tokens-"));
const factCount = Object.keys(facts).length;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.setConfig({ testTimeout: 60_000 });

let files = 0;
function fileOf(content: string | Buffer): string {
  const file = join(folder, `token-${++files}`);
  writeFileSync(file, content);
  return file;
}

const variable = "USERGROUP_MOCK_VERIFY_API_TOKEN";
const secondVariable = "USERGROUP_MOCK_VERIFY_SECOND_API_TOKEN";

describe("the API token of verify", () => {
  it("is taken from the flag, then the file, then the environment", () => {
    const env = { [variable]: "of-the-environment" };
    const apiTokenFile = fileOf("of-the-file");
    expect(verifyTokens({ apiToken: "of-the-flag" }, env)).toEqual({ apiToken: "of-the-flag" });
    expect(verifyTokens({ apiTokenFile }, env)).toEqual({ apiToken: "of-the-file" });
    expect(verifyTokens({}, env)).toEqual({ apiToken: "of-the-environment" });
  });

  it("of the second team is found in the same way", () => {
    const env = { [variable]: "one", [secondVariable]: "two" };
    const secondApiTokenFile = fileOf("two-of-the-file");
    expect(verifyTokens({}, env)).toEqual({ apiToken: "one", secondApiToken: "two" });
    expect(verifyTokens({ secondApiTokenFile }, env).secondApiToken).toBe("two-of-the-file");
    expect(verifyTokens({ secondApiToken: "two-of-the-flag" }, env).secondApiToken).toBe("two-of-the-flag");
  });

  it.each([
    ["as it is", "s3cret"],
    ["with a newline at its end", "s3cret\n"],
    ["with a newline of Windows", "s3cret\r\n"],
    ["with a byte order mark", "\uFEFFs3cret\n"],
  ])("is read from a file %s", (_, content) => {
    expect(verifyTokens({ apiTokenFile: fileOf(content) }, {})).toEqual({ apiToken: "s3cret" });
  });

  it("is missing if its variable is empty, as in a pipeline without the secret", () => {
    expect(verifyTokens({ apiToken: "one" }, { [secondVariable]: "" })).toEqual({ apiToken: "one" });
    expect(() => verifyTokens({}, { [variable]: "" })).toThrow("verify needs an API token");
  });

  it("is missing with a message that explains how to pass it", () => {
    expect(() => verifyTokens({}, {})).toThrow(
      "verify needs an API token of the service. Set USERGROUP_MOCK_VERIFY_API_TOKEN, or pass --api-token-file <file>.",
    );
  });

  const required = "must contain exactly one token: printable ASCII characters without spaces.";
  it.each<[string, FlagsOf<"verify">, NodeJS.ProcessEnv, string]>([
    // It is easy to pass the token itself instead of a file.
    [
      "a missing file",
      { apiTokenFile: join(folder, "s3cret") },
      {},
      "The file of --api-token-file cannot be read (ENOENT).",
    ],
    ["a folder", { apiTokenFile: folder }, {}, "The file of --api-token-file cannot be read (EISDIR)."],
    ["an empty file", { apiTokenFile: fileOf("\n") }, {}, `The file of --api-token-file ${required}`],
    [
      "an empty file of the second token",
      { apiToken: "s3cret", secondApiTokenFile: fileOf("") },
      {},
      `The file of --second-api-token-file ${required}`,
    ],
    [
      "a file of two lines",
      { apiTokenFile: fileOf("s3cret\ns3cret\n") },
      {},
      `The file of --api-token-file ${required}`,
    ],
    [
      "a file of another encoding",
      { apiTokenFile: fileOf(Buffer.from("s3cret", "utf16le")) },
      {},
      `The file of --api-token-file ${required}`,
    ],
    ["an empty flag", { apiToken: "" }, { [variable]: "s3cret" }, `--api-token ${required}`],
    [
      "an empty second flag",
      { apiToken: "s3cret", secondApiToken: "" },
      {},
      `--second-api-token ${required}`,
    ],
    ["a flag with a space", { apiToken: "s3cret s3cret" }, {}, `--api-token ${required}`],
    ["a variable with a newline", {}, { [variable]: "s3cret\n" }, `${variable} ${required}`],
  ])("is rejected and not repeated: %s", (_, flags, env, message) => {
    expect(() => verifyTokens(flags, env)).toThrow(expect.objectContaining({ message }));
    expect(message).not.toContain("s3cret");
  });
});

describe.concurrent("verify", () => {
  it("reads its API tokens from a variable and a file", async () => {
    await using mock = await startMock();
    const second = fileOf("other-api-token\n");
    const { code, stdout } = await runLongCli(
      ["verify", "--against", mock.url, "--second-api-token-file", second, "--yes"],
      { env: { ...process.env, [variable]: "test-api-token" } },
    );
    expect(stdout).toContain(`${factCount} of ${factCount} facts hold. 0 of 18 assumptions differ`);
    expect(stdout).toContain("0 could not be determined");
    expect(code).toBe(0);
  });

  it.each([
    ["an invalid token", [], 2, "must contain exactly one token"],
    [
      "a token and a file",
      ["--api-token", "s3cret"],
      1,
      "api-token-file and api-token are mutually exclusive",
    ],
  ])("rejects %s with one line, before a request is sent", async (_, flags, exitCode, message) => {
    const file = fileOf("s3cret\ns3cret\n");
    const args = ["--against", "http://127.0.0.1:9", "--api-token-file", file, ...flags, "--yes"];
    const { code, stdout, stderr } = await runHere(["verify", ...args]);
    expect([code, stdout]).toEqual([exitCode, ""]);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("s3cret");
  });
});
