import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { command, program } from "../cli/small-programs.js";
import { bin, runCli } from "../cli-process.js";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-exec-options-"));
afterAll(() => rmSync(folder, { recursive: true }));
const elsewhere = join(folder, "elsewhere");
mkdirSync(elsewhere);

const fixtureOf = (provided_id: string) => ({
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: [{ team_id: 3, provided_id, name: provided_id }],
});
writeFileSync(join(folder, "mine.json"), JSON.stringify(fixtureOf("mine")));

const options = ["--fixtures", "mine.json", "--seed", "own", "--journal-size", "2", "--max-worlds", "2"];
const exec = (work: string, ...flags: string[]) =>
  runCli(["exec", ...options, ...flags, ...command(`process.chdir(${JSON.stringify(elsewhere)}); ${work}`)], {
    cwd: folder,
  });

/** Prints the groups of a mock, their tokens, how many requests it keeps and how many worlds it can have. */
const look = `
  const look = async (mock) => {
    for (const id of ["a", "b", "c"]) await create(mock.url, id);
    const { user_groups } = await mock.state();
    const worlds = await create(mock.world("w1").url).then(() => create(mock.world("w2").url)).catch(({ message }) => message);
    console.log(JSON.stringify({
      groups: user_groups.map(({ provided_id }) => provided_id), token: user_groups[1].token.slice(0, 8),
      requests: (await mock.requests()).length, worlds,
    }));
  };
  const connect = (url) => require(${JSON.stringify(join(import.meta.dirname, "../../dist/cjs/index.js"))}).connectMock(url);`;

const lookAround = `${look} await look(await connect(url));`;
const parsed = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe.concurrent("mocks that the command of exec starts", () => {
  it("take its profile, unless they have their own", async () => {
    writeFileSync(join(folder, "profile.json"), JSON.stringify({ responses: { created: { status: 202 } } }));
    const work = `
      for (const options of [{}, { profile: { responses: { created: { status: 203 } } } }]) {
        const mock = await startMock(options);
        const { responses } = await (await fetch(mock.url + "/__admin/assumptions")).json();
        console.log(responses.created.status);
        await mock.stop();
      }`;
    const { stdout, stderr } = await exec(work, "--profile", "profile.json");
    expect([stdout, stderr]).toEqual(["202\n203\n", ""]);
  });

  let around: ReturnType<typeof exec>;
  beforeAll(() => {
    around = exec(lookAround);
  });

  it.each([
    ["startMock", `${look} const mock = await startMock(); await look(mock); await mock.stop();`],
    [
      "an inner exec",
      `require("node:child_process").execFileSync(process.execPath, ${JSON.stringify([bin, "exec", "--", process.execPath, ...program(lookAround)])}, { stdio: "inherit" });`,
    ],
    [
      "the command line, over its environment",
      `${look} const server = require("node:child_process").spawn(process.execPath, [${JSON.stringify(bin)}, "--port", "0"], {
         env: { ...process.env, USERGROUP_MOCK_SEED: "of the environment" } });
       const listening = new Promise((resolve) => {
         let printed = "";
         server.stdout.on("data", (part) => {
           const [, found] = /listening on (\\S+)\\n/.exec(printed += part) ?? [];
           if (found !== undefined) resolve(found);
         });
       });
       await look(await connect(await listening)); server.kill();`,
    ],
  ])("use its fixtures, seed and limits: %s", async (_, work) => {
    const { stdout, stderr } = await exec(work);
    expect(stderr).toBe("");
    const [expected] = parsed((await around).stdout);
    expect(expected).toMatchObject({ groups: ["mine", "a", "b", "c"], requests: 2 });
    expect(expected.worlds).toContain("no group: ");
    expect(parsed(stdout)).toEqual([expected]);
  });

  it("keep their own options, and do not use its port and tokens", async () => {
    const work = `const fixtures = ${JSON.stringify(fixtureOf("own"))};
      const mock = await startMock({ fixtures, seed: "mine" });
      const { user_groups } = await mock.state();
      const { status } = await fetch(mock.url + "/__admin/health");
      console.log(user_groups.map(({ provided_id }) => provided_id).join(), status, mock.url !== url);
      await mock.stop();`;
    const { stdout, stderr } = await exec(work, "--admin-token", "secret");
    expect([stdout, stderr]).toEqual(["own 200 true\n", ""]);
  });
});
