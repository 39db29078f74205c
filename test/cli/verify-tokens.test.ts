import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { FlagsOf } from "../../src/cli/commands.js";
import { verifyTokens } from "../../src/cli/verify/verify-tokens.js";
import { startMock } from "../../src/index.js";
import { runHere } from "./run-here.js";
import { runLongCli } from "./run-long-cli.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-tokens-"));
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
  it("is that of the flag, else that of the file, else that of the environment", () => {
    const env = { [variable]: "of-the-environment" };
    const apiTokenFile = fileOf("of-the-file");
    expect(verifyTokens({ apiToken: "of-the-flag" }, env)).toEqual({ apiToken: "of-the-flag" });
    expect(verifyTokens({ apiTokenFile }, env)).toEqual({ apiToken: "of-the-file" });
    expect(verifyTokens({}, env)).toEqual({ apiToken: "of-the-environment" });
  });

  it("has a second one beside it, found in the same way", () => {
    const env = { [variable]: "one", [secondVariable]: "two" };
    const secondApiTokenFile = fileOf("two-of-the-file");
    expect(verifyTokens({}, env)).toEqual({ apiToken: "one", secondApiToken: "two" });
    expect(verifyTokens({ secondApiTokenFile }, env).secondApiToken).toBe("two-of-the-file");
    expect(verifyTokens({ secondApiToken: "two-of-the-flag" }, env).secondApiToken).toBe("two-of-the-flag");
  });

  it.each([
    ["as it is", "s3cret"],
    ["with a newline at its end", "s3cret\n"],
    ["with the newline of Windows", "s3cret\r\n"],
    ["with a byte order mark", "\uFEFFs3cret\n"],
  ])("is read from a file %s", (_, content) => {
    expect(verifyTokens({ apiTokenFile: fileOf(content) }, {})).toEqual({ apiToken: "s3cret" });
  });

  it("is not there when its variable is empty, as that of a pipeline without the secret is", () => {
    expect(verifyTokens({ apiToken: "one" }, { [secondVariable]: "" })).toEqual({ apiToken: "one" });
    expect(() => verifyTokens({}, { [variable]: "" })).toThrow("verify needs an API token");
  });

  it("can be given in three ways, and the message names all of them when it is missing", () => {
    expect(() => verifyTokens({}, {})).toThrow(
      "verify needs an API token of the service: set USERGROUP_MOCK_VERIFY_API_TOKEN, or pass --api-token-file <file> or" +
        " --api-token <token>",
    );
  });

  const headerWords = "must be printable ASCII characters without spaces, as it travels in a header";
  it.each<[string, FlagsOf<"verify">, NodeJS.ProcessEnv, string]>([
    [
      "flag and file at once",
      { apiToken: "s3cret", apiTokenFile: fileOf("s3cret") },
      {},
      "Pass --api-token or --api-token-file, not both",
    ],
    [
      "flag and file of the second at once",
      { apiToken: "s3cret", secondApiToken: "s3cret", secondApiTokenFile: fileOf("s3cret") },
      {},
      "Pass --second-api-token or --second-api-token-file, not both",
    ],
    // It is easy to pass the token itself where the file is wanted.
    [
      "a file that is not there",
      { apiTokenFile: join(folder, "s3cret") },
      {},
      "The file of --api-token-file cannot be read (ENOENT). It must hold the token alone",
    ],
    [
      "a folder",
      { apiTokenFile: folder },
      {},
      "The file of --api-token-file cannot be read (EISDIR). It must hold the token alone",
    ],
    ["an empty file", { apiTokenFile: fileOf("\n") }, {}, "The file of --api-token-file is empty"],
    [
      "an empty file of the second",
      { apiToken: "s3cret", secondApiTokenFile: fileOf("") },
      {},
      "The file of --second-api-token-file is empty",
    ],
    [
      "a file of two lines",
      { apiTokenFile: fileOf("s3cret\ns3cret\n") },
      {},
      "The file of --api-token-file has several lines. It must hold the token alone",
    ],
    [
      "a file that ends in two newlines",
      { apiTokenFile: fileOf("s3cret\n\n") },
      {},
      "The file of --api-token-file has several lines. It must hold the token alone",
    ],
    [
      "a file of another encoding",
      { apiTokenFile: fileOf(Buffer.from("s3cret", "utf16le")) },
      {},
      `The token in the file of --api-token-file ${headerWords}`,
    ],
    ["an empty flag", { apiToken: "" }, { [variable]: "s3cret" }, "--api-token is empty"],
    ["an empty second flag", { apiToken: "s3cret", secondApiToken: "" }, {}, "--second-api-token is empty"],
    ["a flag with a space", { apiToken: "s3cret s3cret" }, {}, `The token of --api-token ${headerWords}`],
    ["a variable with a newline", {}, { [variable]: "s3cret\n" }, `The token in ${variable} ${headerWords}`],
  ])("is refused and not repeated: %s", (_, flags, env, message) => {
    expect(() => verifyTokens(flags, env)).toThrow(expect.objectContaining({ message }));
    expect(message).not.toContain("s3cret");
  });
});

describe.concurrent("verify on the command line", () => {
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(["verify", ...args]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect(stderr).not.toContain("s3cret");
    return stderr;
  };

  it("asks with tokens that no command line shows", async () => {
    await using mock = await startMock();
    const second = fileOf("other-api-token\n");
    const { code, stdout } = await runLongCli(
      ["verify", "--against", mock.url, "--second-api-token-file", second, "--yes"],
      { env: { ...process.env, [variable]: "test-api-token" } },
    );
    expect(stdout).toContain("11 of 11 facts hold. 0 of 18 assumptions differ");
    expect(stdout).toContain("0 could not be determined");
    expect(code).toBe(0);
  });

  it("refuses a token in a line, before anything is asked", async () => {
    const file = fileOf("s3cret\ns3cret\n");
    const said = await refused("--against", "http://127.0.0.1:9", "--api-token-file", file, "--yes");
    expect(said).toContain("has several lines");
  });
});
