import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Fixture } from "../../src/generated/types.js";
import { optionSources } from "../../src/options/option-sources.js";
import { optionNames } from "../../src/options/option-table.js";
import { type OptionSource, resolveOptions } from "../../src/options/resolve-options.js";
import { call, getOrCreate } from "../call.js";
import { certificate } from "../certificate.js";
import { type CliProcess, runCli, startCli } from "../cli-process.js";
import { freePort } from "../free-port.js";
import { patience } from "../patience.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-options-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(path: string, content: unknown): string {
  const where = join(folder, path);
  mkdirSync(join(where, ".."), { recursive: true });
  writeFileSync(where, typeof content === "string" ? content : JSON.stringify(content));
  return where;
}

let folders = 0;
const emptyFolder = () => mkdtempSync(join(folder, `${++folders}-`));

type Options = Readonly<Record<string, unknown>>;

/** A value as text, for flags and variables: several texts for a list. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === "object" && value !== null) return Object.entries(value).map((pair) => pair.join("="));
  return [String(value)];
}

function asFlags(options: Options): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : texts(value).flatMap((text) => [flag, text]);
  });
}

function asVariables(options: Options): Record<string, string> {
  const variable = (name: string) => `USERGROUP_MOCK_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [variable(name), texts(value).join(",")]),
  );
}

function folderWithConfig(options: Options): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "usergroup-mock.config.json"), JSON.stringify(options));
  return cwd;
}

interface Row {
  readonly option: string;
  /** A function if each place needs its own value. */
  readonly value: unknown;
  /** Returns the effect of the option. */
  readonly seen: (url: string, running: CliProcess, value: unknown) => unknown;
  readonly expected: unknown;
}

const health = (url: string) => call("GET", `${url}/__admin/health`);

const group = { user_group_id: "a", name: "A", properties: {} };

async function takesBodyOf(url: string, bytes: number): Promise<boolean> {
  const padded = { ...group, name: "n".repeat(bytes - JSON.stringify({ ...group, name: "" }).length) };
  return (await getOrCreate(url, padded)).status !== 413;
}

const takes1kbAtMost = async (url: string) => [await takesBodyOf(url, 1_000), await takesBodyOf(url, 1_001)];

const { cert, key, pem } = certificate;

/**
 * The effect of each option. Options that do not influence each other are passed to one process, because starting a
 * process takes longer than all checks.
 */
const table: Readonly<Record<string, readonly Row[]>> = {
  "an option about address and output": [
    {
      option: "port",
      value: freePort,
      seen: (url, _, port) => Number(new URL(url).port) === port,
      expected: true,
    },
    {
      option: "host",
      value: "localhost",
      seen: async (url) => [new URL(url).hostname, (await health(url)).status],
      expected: ["localhost", 200],
    },
    {
      option: "log",
      value: "json",
      seen: async (url, { stdout }) => {
        await call("GET", `${url}/nowhere`);
        return vi.waitFor(
          () => JSON.parse(stdout().split("\n").at(-2) ?? "").path ?? expect.fail("not yet"),
          patience,
        );
      },
      expected: "/nowhere",
    },
    {
      option: "seed",
      value: "another",
      seen: async (url) => {
        await using other = await startMock({ seed: "another" });
        const [here, there] = [await getOrCreate(url, group), await getOrCreate(other.url, group)];
        return here.body.user_group.token === there.body.user_group.token;
      },
      expected: true,
    },
    { option: "bodyLimit", value: "1kb", seen: takes1kbAtMost, expected: [true, false] },
    {
      option: "journalSize",
      value: 2,
      seen: async (url) => {
        for (let n = 0; n < 3; n++) await getOrCreate(url, group);
        return (await call("GET", `${url}/__admin/requests`)).body.requests.length;
      },
      expected: 2,
    },
    {
      option: "exitWithParent",
      value: true,
      seen: async (_url, { child, exited }) => {
        child.stdin?.end();
        return (await exited).code;
      },
      expected: 0,
    },
  ],
  "an option about groups and responses": [
    {
      option: "allowHost",
      value: ["mock.test", "other.test"],
      seen: async (url) => {
        const lets = async (Host: string) =>
          (await getOrCreate(url, group, { headers: { Host } })).status !== 403;
        return [await lets("mock.test"), await lets("other.test"), await lets("evil.test")];
      },
      expected: [true, true, false],
    },
    {
      option: "fixtures",
      value: [
        file("one.json", { teams: [{ team_id: 7, api_tokens: ["test-api-token"] }] }),
        join(file("more/two.json", { user_groups: [{ team_id: 7, provided_id: "b", name: "B" }] }), ".."),
      ],
      seen: async (url) => {
        const { teams, user_groups } = (await call("GET", `${url}/__admin/state`)).body;
        return [teams, user_groups[0].provided_id];
      },
      expected: [[{ team_id: 7, api_tokens: ["test-api-token"] }], "b"],
    },
    {
      option: "profile",
      value: [
        file("profile.json", {
          situations: { "other path": { status: 410 }, "other method": { status: 412, body: { first: 1 } } },
        }),
        file("other.json", { situations: { "other path": { status: 411 } } }),
      ],
      seen: async (url) => {
        const { status } = await call("GET", `${url}/nowhere`);
        const ofMethod = await call("PUT", `${url}/api/user`);
        return [status, ofMethod.status, ofMethod.body];
      },
      expected: [411, 412, { first: 1 }],
    },
    {
      option: "assume",
      value: { "created-status": "201", "name: missing": "accepted" },
      seen: async (url) => (await getOrCreate(url, { user_group_id: "nameless", properties: {} })).status,
      expected: 201,
    },
    {
      option: "config",
      value: file("named.json", { $schema: "for editors", bodyLimit: "1kb" }),
      seen: takes1kbAtMost,
      expected: [true, false],
    },
  ],
  "an option about HTTPS and access": [
    {
      option: "tlsCert",
      value: cert,
      seen: async (url) => [
        new URL(url).protocol,
        (await call("GET", `${url}/nowhere`, undefined, { ca: pem })).status,
      ],
      expected: ["https:", 404],
    },
    {
      option: "tlsKey",
      value: key,
      seen: async (url) => (await getOrCreate(url, group, { ca: pem })).body.new_user_group,
      expected: true,
    },
    {
      option: "adminToken",
      value: "sesame",
      seen: async (url) => {
        const headers = { Authorization: "Bearer sesame" };
        const statusWith = async (more: object) =>
          (await call("GET", `${url}/__admin/groups`, undefined, { ca: pem, ...more })).status;
        return [await statusWith({}), await statusWith({ headers })];
      },
      expected: [401, 200],
    },
  ],
};

/** The options of every start, unless the table has others: a free port, and no log in the output. */
const basis = { port: 0, log: "silent" };

describe.each(Object.entries(table))("%s", (_, rows) => {
  let options: Options;
  let running: CliProcess;
  beforeAll(async () => {
    options = { ...basis, ...(await valuesOf(rows)) };
    running = startCli(asFlags(options), { cwd: emptyFolder(), stdio: "pipe" });
    await running.ready;
  });
  afterAll(() => running[Symbol.asyncDispose]());

  it.each(rows)("has an effect: $option", async ({ option, seen, expected }) => {
    expect(await seen(await running.ready, running, options[option])).toEqual(expected);
  });
});

/** The values of the rows, by option. */
async function valuesOf(rows: readonly Row[]): Promise<Options> {
  const values = rows.map(async ({ option, value }) => [
    option,
    typeof value === "function" ? await value() : value,
  ]);
  return Object.fromEntries(await Promise.all(values));
}

it("every option has the same value as environment variable, in a file and in startMock", async () => {
  // The config file is one of these places.
  const { config, ...others } = await valuesOf(Object.values(table).flat());
  const options: Options = { ...others, set: { MOCK_AT: "{url}/api" } };
  const sources: readonly OptionSource[][] = [
    optionSources({}, asVariables(options)),
    optionSources({ config: file("all.json", options) }, {}),
    [{ place: "startMock", options }],
    [],
  ];
  const settings = sources.map(async (each): Promise<Options> => {
    // Only what a test or a flag passes is pinned.
    const { pins, ...resolved } = await resolveOptions(each, "server");
    return resolved;
  });
  const [inEnvironment, inFile, inStartMock, byDefault = {}] = await Promise.all(settings);
  expect(inEnvironment).toEqual(inStartMock);
  expect(inFile).toEqual(inStartMock);
  for (const [name, value] of Object.entries(inStartMock ?? {}))
    expect([name, value]).not.toEqual([name, byDefault[name]]);
});

// serve has no command to set variables for.
describe("set", () => {
  const set = { MOCK_AT: "{url}/api", MOCK_TOKEN: "{apiToken}" };
  it("is passed to the command of exec, and a flag replaces one variable of the file", async () => {
    const print = ["-e", "console.log(process.env.MOCK_AT, process.env.MOCK_TOKEN)"];
    const args = ["exec", "--set", "MOCK_TOKEN=mine", "--", process.execPath, ...print];
    const { stdout } = await runCli(args, { cwd: folderWithConfig({ set }) });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api mine\n$/);
  });

  it("sets the variables of this process if passed to startMock", async () => {
    try {
      await using mock = await startMock({ set });
      expect([process.env.MOCK_AT, process.env.MOCK_TOKEN]).toEqual([`${mock.url}/api`, mock.apiToken]);
    } finally {
      for (const name of Object.keys(set)) delete process.env[name];
    }
  });

  it.each([
    [{ "A B": "x" }, "set must have names of environment variables, such as API_URL (given: { 'A B': 'x' })"],
    [{ A: 7 }, "set A must be string (given: { A: 7 })"],
    ["A", 'set A must be string (given: "A"; write name=value)'],
  ])("is rejected as %j", async (wrong, message) => {
    await expect(startMock({ set: wrong as never })).rejects.toThrow(message);
  });
});

it("the table of effects has every option", () => {
  const shown = Object.values(table).flatMap((rows) => rows.map(({ option }) => option));
  expect(new Set([...shown, "set"])).toEqual(new Set(optionNames));
});

it("fixtures passed as objects can be changed later without an effect", async () => {
  const properties = { plan: "free" };
  const groups: Fixture = { user_groups: [{ team_id: 7, provided_id: "a", name: "A", properties }] };
  const teams: Fixture = { teams: [{ team_id: 7, api_tokens: ["seven"] }] };
  await using mock = await startMock({ fixtures: [groups, teams] });
  const before = await mock.state();
  properties.plan = "paid";
  teams.teams?.[0]?.api_tokens.push("another");
  expect(await mock.state()).toEqual(before);
});
