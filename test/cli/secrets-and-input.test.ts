import { execSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bin } from "../cli-process.js";
import { runPatiently } from "./run-patiently.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-odd-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a secret is not repeated", () => {
  it("of a URL that verify is given", async () => {
    const against = "http://user:s3cret@127.0.0.1:1";
    const { code, stdout, stderr } = await runPatiently([
      "verify",
      "--against",
      against,
      "--api-token",
      "t",
      "--yes",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("without a user name and a password");
    expect(stdout + stderr).not.toContain("s3cret");
  });

  it.each(["config", "assume-file", "fixtures"])("of a file that is no JSON: --%s", async (flag) => {
    const file = join(folder, `${flag}.json`);
    writeFileSync(file, '{ "adminToken": s3cret-token }');
    const { code, stdout, stderr } = await runPatiently(["--port", "0", `--${flag}`, file]);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
    expect(stderr).toContain("is not valid JSON");
    expect(stdout + stderr).not.toContain("cret");
  });
});

describe("exec with --exit-with-parent", () => {
  const command = (script: string) => ["exec", "--exit-with-parent", "--", process.execPath, "-e", script];

  it("goes on while its command does, though standard input is closed", async () => {
    const ask =
      "fetch(process.env.USERGROUP_MOCK_URL + '/__admin/health').then((r) => console.log(r.status))";
    const { code, stdout } = await runPatiently(command(`setTimeout(() => ${ask}, 300)`), {
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect([code, stdout.trim()]).toEqual([0, "200"]);
  });

  it("leaves standard input to its command", async () => {
    const input = join(folder, "input.txt");
    writeFileSync(input, "for the command alone");
    const script = "process.stdin.pipe(process.stdout)";
    const shell = `"${process.execPath}" "${bin}" exec --exit-with-parent -- "${process.execPath}" -e "${script}" < "${input}"`;
    expect(execSync(shell, { encoding: "utf8" })).toBe("for the command alone");
  });
});

describe("a placeholder of --set that is misspelt", () => {
  it("is refused, and the nearest one named", async () => {
    const { code, stderr } = await runPatiently([
      "exec",
      "--set",
      "API_URL={ulr}",
      "--",
      process.execPath,
      "-v",
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no {ulr}; did you mean {url}?");
  });

  it("is text when it is far from all of them", async () => {
    const script = "console.log(process.env.PATTERN)";
    const { stdout } = await runPatiently([
      "exec",
      "--set",
      "PATTERN={customer}",
      "--",
      process.execPath,
      "-e",
      script,
    ]);
    expect(stdout.trim()).toBe("{customer}");
  });
});
