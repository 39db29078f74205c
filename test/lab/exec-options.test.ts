import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { variables } from "../../src/options/names.js";
import { beginRun, removeRun } from "../../src/run/begin-run.js";
import { runHere } from "../cli/run-here.js";
import { command, program } from "../cli/small-programs.js";
import { bin, runCli } from "../cli-process.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-exec-options-"));
afterAll(() => rmSync(folder, { recursive: true }));
const elsewhere = join(folder, "elsewhere");
mkdirSync(elsewhere);

const fixtureOf = (provided_id: string) => ({
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: [{ team_id: 3, provided_id, name: provided_id }],
});
writeFileSync(join(folder, "mine.json"), JSON.stringify(fixtureOf("mine")));

const options = ["--fixtures", "mine.json", "--seed", "own", "--journal-size", "2"];
const exec = async (work: string, ...flags: string[]) => {
  const inside = command(`process.chdir(${JSON.stringify(elsewhere)}); ${work}`);
  const { stdout, stderr } = await runCli(["exec", ...options, ...flags, ...inside], { cwd: folder });
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};

/** Prints the groups of a mock, their tokens, and how many requests it keeps. */
const look = `
  const look = async (mock) => {
    for (const id of ["a", "b", "c"]) await create(mock.url, id);
    const { user_groups } = await mock.state();
    console.log(JSON.stringify({
      groups: user_groups.map(({ provided_id }) => provided_id), token: user_groups[1].token.slice(0, 8),
      requests: (await mock.requests()).length,
    }));
  };
  const connect = (url) => require(${JSON.stringify(join(import.meta.dirname, "../../dist/cjs/index.js"))}).connectMock(url);`;

const lookAround = `${look} await look(await connect(url));`;
const inner = [bin, "exec", "--", process.execPath, ...program(lookAround)];

describe.concurrent("mocks that the command of exec starts", () => {
  it("use its fixtures, seed and limits: startMock, an inner exec, and the command line over its environment", async () => {
    const work = `${lookAround}
      const { execFileSync, spawn } = require("node:child_process");
      const mock = await startMock(); await look(mock); await mock.stop();
      execFileSync(process.execPath, ${JSON.stringify(inner)}, { stdio: "inherit" });
      const env = { ...process.env, USERGROUP_MOCK_SEED: "of the environment" };
      const server = spawn(process.execPath, [${JSON.stringify(bin)}, "--port", "0"], { env });
      const listening = new Promise((resolve) => {
        let printed = "";
        server.stdout.on("data", (part) => {
          const [, found] = /listening on (\\S+)\\n/.exec(printed += part) ?? [];
          if (found !== undefined) resolve(found);
        });
      });
      await look(await connect(await listening)); server.kill();`;
    const [around, ...others] = await exec(work);
    expect(around).toMatchObject({ groups: ["mine", "a", "b", "c"], requests: 2 });
    expect(others).toEqual([around, around, around]);
  });

  it("use its profile and assumptions, or their own options, but not its port and tokens", async () => {
    writeFileSync(join(folder, "profile.json"), JSON.stringify({ situations: { created: { status: 202 } } }));
    const own = {
      fixtures: fixtureOf("own"),
      seed: "mine",
      profile: { situations: { created: { status: 203 } } },
    };
    const work = `for (const options of [{}, ${JSON.stringify(own)}]) {
        const mock = await startMock(options);
        const { user_groups } = await mock.state();
        const response = await fetch(mock.url + "/__admin/assumptions");
        const { assumptions } = await response.json();
        const valueOf = (one) => assumptions.find(({ id }) => id === one).value;
        console.log(JSON.stringify([user_groups[0].provided_id, valueOf("old-token"), valueOf("created-status"), mock.url !== url]));
        await mock.stop();
      }`;
    const flags = ["--profile", "profile.json", "--assume", "old-token=accepted", "--admin-token", "secret"];
    expect(await exec(work, ...flags)).toEqual([
      ["mine", "accepted", "202", true],
      ["own", "accepted", "203", true],
    ]);
  });
});

describe("exec within explore", () => {
  it("starts from the values of its flags, then those that explore tries, then those of its environment", async () => {
    const tried = { "created-status": "201", "old-token": "accepted" };
    const outer = beginRun(
      { assume: tried, tried: Object.keys(tried), options: {}, inject: [], learns: false, reports: false },
      undefined,
    );
    try {
      const copy = join(folder, "instructions.json");
      const work = ["--", "sh", "-c", `cp "$${variables.run}/instructions.json" "$0"`, copy];
      const env = {
        [variables.run]: outer.folder,
        USERGROUP_MOCK_ASSUME: "old-token=rejected,rotated-token=same",
      };
      const ended = await runHere(["exec", "--assume", "created-status=200", ...work], { env });
      expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(JSON.parse(readFileSync(copy, "utf8"))).toMatchObject({
        assume: { "created-status": "200", "old-token": "accepted", "rotated-token": "same" },
        tried: ["old-token"],
      });
    } finally {
      removeRun(outer);
    }
  });
});
