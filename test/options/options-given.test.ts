import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { optionSources } from "../../src/options/option-sources.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { getOrCreate } from "../call.js";
import { certificate, otherKey } from "../certificate.js";
import { runHere } from "../cli/run-here.js";
import { startCli } from "../cli-process.js";
import { rejectionOf } from "../fake/world/rejection.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-given-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function file(content: unknown): string {
  const path = join(folder, `${++files}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function folderWithConfig(options: object): string {
  const cwd = mkdtempSync(join(folder, "cwd-"));
  writeFileSync(join(cwd, "usergroup-mock.config.json"), JSON.stringify(options));
  return cwd;
}

const variables = (more: Record<string, string>) => ({ ...process.env, ...more });

describe("an option in several places", () => {
  const flag = { seed: "flag" };
  const environment = { USERGROUP_MOCK_SEED: "environment" };
  const inFile = { seed: "file" };
  const named = file({ seed: "named file" });
  it.each([
    ["a flag over the environment and the file", flag, environment, inFile, "flag"],
    ["the environment over the file", {}, environment, inFile, "environment"],
    ["the file over nothing", {}, {}, inFile, "file"],
    ["the environment over a file that a flag names", { config: named }, environment, {}, "environment"],
    ["a file that a flag names over the one of the folder", { config: named }, {}, inFile, "named file"],
    [
      "a file that the environment names over the one of the folder",
      {},
      { USERGROUP_MOCK_CONFIG: named },
      inFile,
      "named file",
    ],
  ])("is taken from %s", async (_, flags, env, options, winner) => {
    const cwd = process.cwd();
    process.chdir(folderWithConfig(options));
    const sources = optionSources(flags, env);
    process.chdir(cwd);
    expect((await resolveOptions(sources, "server")).seed).toBe(winner);
  });

  it("does not override the other options of its place", async () => {
    const cwd = folderWithConfig({ assume: { "created-status": "201" }, log: "json" });
    const env = variables({ USERGROUP_MOCK_BODY_LIMIT: "1kb" });
    await using cli = startCli(["--port", "0", "--log", "silent"], { cwd, env });
    const url = await cli.ready;
    expect((await getOrCreate(url, { user_group_id: "b", name: "B" })).status).toBe(201);
    expect((await getOrCreate(url, { user_group_id: "c", name: "C".repeat(1_000) })).status).toBe(413);
    expect(cli.stdout()).toBe(`usergroup-mock listening on ${url}\n`);
  });

  it("is taken from startMock over the file that startMock names, for each assumption", async () => {
    const config = file({ assume: { "created-status": "201", "name-on-create": "defaults-to-id" } });
    await using mock = await startMock({ config, assume: { "created-status": "200" } });
    expect((await getOrCreate(mock.url, { user_group_id: "nameless" })).status).toBe(200);
  });

  it("is read once from a config file that names itself", async () => {
    const itself = join(folder, "itself.json");
    writeFileSync(itself, JSON.stringify({ config: itself, log: "loud" }));
    const { code, stderr } = await runHere(["--config", itself]);
    expect(stderr).toContain("loud");
    expect(code).toBe(1);
  });
});

describe("a size", () => {
  it.each([
    [1_000, 1_000],
    ["1000b", 1_000],
    ["1 KB", 1_000],
    ["1mb", 1_000_000],
  ])("passed as %j means %i bytes", async (bodyLimit, bytes) => {
    await using mock = await startMock({ bodyLimit });
    const findStatus = async (length: number) => {
      const head = '{"user_group_id":"a","name":"';
      return (await getOrCreate(mock.url, `${head.padEnd(length - 2, "n")}"}`)).status;
    };
    expect([await findStatus(bytes), await findStatus(bytes + 1)]).toEqual([200, 413]);
  });
});

/** The error about options as JavaScript callers can give them, without types. */
const rejection = (options: object) => rejectionOf(startMock(options as never));

describe("an invalid option", () => {
  it.each([
    ["prot", "port"],
    ["bodylimit", "bodyLimit"],
    ["body-limit", "bodyLimit"],
  ])("is rejected by name: %s, with the suggestion %s", async (wrong, near) => {
    const { code, message } = await rejection({ [wrong]: "x" });
    expect(code).toBe("invalid_option");
    expect(message).toContain(`unknown option ${wrong}; did you mean ${near}?`);
  });

  it("is rejected with a list of all options if no name is similar", async () => {
    for (const name of ["quantumFlux", "constructor", "__proto__"]) {
      const { message } = await rejection(JSON.parse(`{ "${name}": 1 }`));
      expect(message).toMatch(new RegExp(`${name}.*port, host, fixtures, .*config`));
    }
  });

  it.each([
    ["port", -1, /number from 0 to 65535 \(given: -1\)/],
    ["port", 1.5, /integer \(given: 1.5\)/],
    ["port", "4010x", /integer \(given: "4010x"\)/],
    ["port", "", /integer \(given: ""\)/],
    ["host", "", /must not be empty/],
    ["host", 127, /string \(given: 127\)/],
    [
      "fixtures",
      ["a.json", null],
      /a file, a folder, a fixture object, or a list of these \(given: \[ 'a.json', null \]\)/,
    ],
    ["fixtures", "a.json,", /a file, a folder, a fixture object, or a list of these \(given: "a.json,"\)/],
    ["allowHost", 3, /host names \(given: 3\)/],
    [
      "assume",
      "old-token",
      /old-token must be "rejected" or "accepted" or "previous" \(given: "old-token"; write name=value\)/,
    ],
    ["assume", 3, /object \(given: 3\)/],
    ["bodyLimit", 0, /size like 100kb, at most 80mb \(given: 0\)/],
    ["bodyLimit", "many", /size like 100kb, at most 80mb \(given: "many"\)/],
    ["bodyLimit", "81mb", /at most 80mb \(given: "81mb"\)/],
    ["journalSize", 0, /number from 1 to \d+ \(given: 0\)/],
    ["exitWithParent", "perhaps", /boolean \(given: "perhaps"\)/],
    ["log", "loud", /"pretty" or "json" or "silent" \(given: "loud"\)/],
    ["port", 5n, /\(given: 5n\)/],
    ["port", () => 1, /\(given: \[Function/],
  ])("is rejected by value: %s %s", async (name, value, words) => {
    const { code, message } = await rejection({ [name]: value });
    expect(code).toBe("invalid_option");
    expect(message).toContain(name);
    expect(message).toMatch(words);
  });

  it.each([
    ["is missing", join(folder, "missing.json"), /missing\.json cannot be read/],
    ["is not JSON", file("{ port: 1 }"), /cannot be read/],
    ["holds a list", file([1]), /cannot be read: it must be a JSON object/],
  ])("is rejected with the name of a config file that %s", async (_, config, words) => {
    const { message } = await rejection({ config });
    expect(message).toContain(config);
    expect(message).toMatch(words);
  });

  it.each([
    ["a certificate without its key", () => ({ tlsCert: file("cert") })],
    ["a key without its certificate", () => ({ tlsKey: file("key") })],
    ["files that are not there", () => ({ tlsCert: "missing.pem", tlsKey: "missing.key" })],
    ["an invalid certificate", () => ({ tlsCert: file("none"), tlsKey: certificate.key })],
    ["the key of another certificate", () => ({ tlsCert: certificate.cert, tlsKey: otherKey })],
  ])("is rejected if it is %s", async (_, options) => {
    const { code, message } = await rejection(options());
    expect(code).toBe("invalid_option");
    expect(message).toMatch(/certificate.* key/);
  });

  it("is reported together with all others of flags, environment and file, each as it is spelled there", async () => {
    const cwd = folderWithConfig({ bodyLimit: "many", fixtrues: "a" });
    const env = variables({ USERGROUP_MOCK_TLS_CERT: "", USERGROUP_MOCK_HOTS: "localhost" });
    const { code, stderr } = await runHere(["--port", "x", "--log", "loud"], { cwd, env });
    expect(code).toBe(1);
    const [, ...problems] = stderr.trimEnd().split("\n");
    expect(problems).toEqual([
      expect.stringMatching(/command line: --port must be/),
      expect.stringMatching(/command line: --log must be/),
      expect.stringMatching(/environment: USERGROUP_MOCK_TLS_CERT must not be empty/),
      expect.stringMatching(
        /environment: unknown option USERGROUP_MOCK_HOTS; did you mean USERGROUP_MOCK_HOST\?/,
      ),
      expect.stringMatching(/usergroup-mock\.config\.json: bodyLimit must be/),
      expect.stringMatching(/usergroup-mock\.config\.json: unknown option fixtrues; did you mean fixtures\?/),
    ]);
  });

  it("is reported together with all other unknown flags", async () => {
    const { code, stderr } = await runHere(["--prot", "1", "--hots", "localhost"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Unknown arguments: prot, hots; did you mean --port?");
  });
});
