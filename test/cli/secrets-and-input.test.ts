import { execSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bin } from "../cli-process.js";
import { type Deviation, plainServer, plainService } from "../lab/verify/plain-service.js";
import { runHere } from "./run-here.js";
import { runLongCli } from "./run-long-cli.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-odd-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a message does not repeat a secret", () => {
  it("of the URL for verify", async () => {
    const against = "http://user:s3cret@127.0.0.1:1";
    const { code, stdout, stderr } = await runHere([
      "verify",
      "--against",
      against,
      "--api-token",
      "t",
      "--yes",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("without a user name or password");
    expect(stdout + stderr).not.toContain("s3cret");
  });

  it("of an invalid API token", async () => {
    const against = ["--against", "http://127.0.0.1:9", "--yes"];
    const env = { USERGROUP_MOCK_VERIFY_API_TOKEN: "s3cret\n" };
    const { code, stdout, stderr } = await runHere(["verify", ...against], { env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("must consist of printable ASCII characters without spaces");
    expect(stderr).not.toContain("s3cret");
  });
});

describe("what verify prints", () => {
  const apiToken = "secret-of-another-team";
  const nasty = `\u001b[2J\u009b2J\u202e\u{e0061}\r\n::error::${apiToken}`;
  const verify = (url: string, ...more: string[]) =>
    runHere(["verify", "--against", url, "--api-token", apiToken, "--yes", ...more]);
  /** Control characters, but not the new lines. */
  const control = /(?!\n)[\p{Cc}\p{Cf}]/u;
  const breaksFactsAndNames: Deviation = (correct, { body }) => {
    const group = Object(correct.body.user_group);
    const renamed = body.name === "Renamed" ? { ...group, name: nasty } : group;
    return correct.body.success === 1
      ? { ...correct, body: { ...correct.body, user_group: renamed, [nasty]: 1 } }
      : correct;
  };

  it("has no control character and no API token of a response", async () => {
    await using server = await plainService(breaksFactsAndNames);
    const { code, stdout } = await verify(server.url);
    expect(code).toBe(1);
    expect(stdout).not.toMatch(control);
    expect(stdout).not.toContain(apiToken);
    const shown = "\\u001b[2J\\u009b2J\\u202e\\udb40\\udc61\\u000d\\u000a::error::[API token]";
    expect(stdout).toContain(`and nothing else: unexpected field: ${shown}\n`);
    expect(stdout).toMatch(/existing-group +not determinable +the name became "\\u001b/);
  });

  it("is one line for any first response", async () => {
    await using server = await plainServer((_, res) => res.end(JSON.stringify({ [nasty]: 1 })));
    const { code, stdout, stderr } = await verify(server.url);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^usergroup-mock: .*status 200 and no success\. Check the URL and the API token\.\n$/,
    );
    expect(stderr).not.toMatch(control);
    expect(stderr).not.toContain(apiToken);
  });
});

describe("exec with USERGROUP_MOCK_EXIT_WITH_PARENT", () => {
  const env = { USERGROUP_MOCK_EXIT_WITH_PARENT: "true" };
  const command = (script: string) => ["exec", "--", process.execPath, "-e", script];

  it("rejects the flag --exit-with-parent", async () => {
    const { code, stderr } = await runHere(["exec", "--exit-with-parent", "--", process.execPath, "-v"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Unknown argument: exit-with-parent.")]);
  });

  it("runs as long as its command, although standard input is closed", async () => {
    const request =
      "fetch(process.env.USERGROUP_MOCK_URL + '/__admin/health').then((r) => console.log(r.status))";
    const { code, stdout } = await runLongCli(command(`setTimeout(() => ${request}, 300)`), {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect([code, stdout.trim()]).toEqual([0, "200"]);
  });

  it("leaves standard input to its command", async () => {
    const input = join(folder, "input.txt");
    writeFileSync(input, "for the command alone");
    const script = "process.stdin.pipe(process.stdout)";
    const shell = `"${process.execPath}" "${bin}" exec -- "${process.execPath}" -e "${script}" < "${input}"`;
    expect(execSync(shell, { encoding: "utf8", env: { ...process.env, ...env } })).toBe(
      "for the command alone",
    );
  });
});
