import { describe, expect, it } from "vitest";
import { helpText } from "../../src/cli/help.js";
import { getOrCreate } from "../call.js";
import { bin, runCli, runNode, startCli } from "../cli-process.js";

const commands = [
  ["--help"],
  ["serve", "-h"],
  ["exec", "--help"],
  ["explore", "-h"],
  ["verify", "--help"],
  ["health", "-h"],
];

describe.concurrent("help", () => {
  it.each(commands)("of usergroup-mock %s fits 80 columns", async (...args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^usergroup-mock .*\[flags\]/);
  });

  it.each([
    [60, 60],
    [100, 100],
    [300, 120],
    [20, 60],
  ])("follows a terminal of %i columns, with lines of %i at most", async (columns, most) => {
    const terminal = `process.stdout.columns = ${columns}; process.argv[1] = ""; process.argv[2] = "--help"; require(${JSON.stringify(bin)})`;
    const { stdout } = await runNode(["-e", terminal]);
    const longest = Math.max(...stdout.split("\n").map((line) => line.length));
    expect(longest).toBeGreaterThan(most - 20);
    expect(longest).toBeLessThanOrEqual(most);
  });

  it("says what kind of value a flag takes, and its default", async () => {
    const { stdout } = await runCli(["--help"]);
    expect(stdout).toMatch(/^ {2}-p, --port <port> +Port to listen on/m);
    expect(stdout).toMatch(/^ {2}--fixtures <path> /m);
    expect(stdout).toMatch(/^ {2}--config <file> /m);
    expect(stdout).toMatch(/^ {2}--journal-size <n> .*\n? *.*1000\)/m);
    expect(stdout).toMatch(/^ {2}--exit-with-parent {2}/m);
    expect(stdout).not.toMatch(/<text=|\[string\]|\[boolean\]/);
  });

  it("breaks a long command so that a shell takes it as one", () => {
    const line = "usergroup-mock verify --against https://service.example --yes --out assumptions.json";
    const parts = { usage: "u", describe: "d", commands: [], flags: [], takesServerFlags: false };
    const text = helpText({ ...parts, examples: [[line, "does"]] }, 60);
    const [, shown = ""] = /Examples:\n(.*?)\n {6}does/s.exec(text) ?? [];
    expect(shown).toContain(" \\\n");
    expect(shown.replaceAll("\\\n", " ").trim().split(/ +/)).toEqual(line.split(" "));
  });
});

describe.concurrent("-p", () => {
  it("is --port", async () => {
    await using cli = startCli(["-p", "0"]);
    expect((await getOrCreate(await cli.ready, { user_group_id: "a", name: "A" })).status).toBe(200);
    expect(await cli.ready).not.toContain(":4010");
  });

  it("is checked as --port is", async () => {
    const { code, stderr } = await runCli(["-p", "many"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('--port must be a port from 0 to 65535, not "many"'),
    ]);
  });

  it("is a flag of servers alone", async () => {
    const { code, stderr } = await runCli(["verify", "-p", "0"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no flag --p")]);
  });
});
