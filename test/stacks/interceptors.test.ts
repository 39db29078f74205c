import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plain } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { textOfPage } from "../consumers/page-blocks.js";
import { run, start } from "../consumers/processes.js";

/** The line that lets requests pass: in the message, in the test file, and in docs/troubleshooting.md. */
const lines = {
  nock: 'nock.enableNetConnect("127.0.0.1")',
  msw: "http.all(/^http:\\/\\/127\\.0\\.0\\.1:/, () => passthrough())",
};

let inUse: PackageInUse;
let cwd: string;
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("interceptors", ["nock@13", "msw@2"]);
});
afterAll(() => inUse?.remove());

describe.each(Object.entries(lines))("%s used with the mock", (name, line) => {
  const args = ["--test", "--test-reporter=spec", `${name}.test.mjs`];

  it("is named below the error of a test whose requests it blocked, and docs/troubleshooting.md has the line that lets them pass", async () => {
    await using running = start(process.execPath, args, { cwd, env: plain });
    expect(await running.ended(60_000)).toBe(1);
    expect(running.output()).toMatch(
      /No request of this test reached the mock at http:\S+\. Does your program use this URL, and was the request awaited\? If nock or msw is active/,
    );
    expect(textOfPage("troubleshooting.md")).toContain(line);
  });

  it("lets requests to the mock pass with that line", async () => {
    const output = await run(process.execPath, args, { cwd, env: { ...plain, ALLOWED: "1" } });
    expect(output).toMatch(/pass 1\b/);
  });
});
