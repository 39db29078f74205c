import { describe, expect, it } from "vitest";
import { assumptionIds, valuesOf } from "../../src/fake/contract/assumptions.js";
import { optionNames } from "../../src/options/option-table.js";
import { bin, runCli, runNode } from "../cli-process.js";
import { runHere } from "./run-here.js";

const commands = ["serve", "exec", "health", "explore", "verify"];

const printed = new Map<string, ReturnType<typeof runCli>>();

/** What the command prints. Each help runs once. */
async function helpOf(...args: string[]): Promise<string> {
  const running = printed.get(args.join(" ")) ?? runCli(args);
  printed.set(args.join(" "), running);
  const { code, stdout, stderr } = await running;
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

describe.concurrent("help", () => {
  it.each([
    [60, 60],
    [300, 80],
  ])("fits a terminal of %i columns, with at most %i characters per line", async (columns, most) => {
    const terminal = `process.stdout.columns = ${columns}; process.argv[1] = ""; process.argv[2] = "--help"; require(${JSON.stringify(bin)})`;
    const { stdout } = await runNode(["-e", terminal]);
    const longest = Math.max(...stdout.split("\n").map((line) => line.length));
    expect(longest).toBeGreaterThan(most - 20);
    expect(longest).toBeLessThanOrEqual(most);
  });

  it("lists the commands, and the flags in groups with their defaults", async () => {
    const help = await helpOf("--help");
    for (const command of [...commands, "completion"])
      expect(help).toMatch(new RegExp(`^ {2}usergroup-mock ${command} +\\w`, "m"));
    for (const name of optionNames.filter((option) => option !== "set")) {
      const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(help).toMatch(new RegExp(`^ +(-\\w, )?--${flag} +\\S`, "m"));
    }
    expect(await helpOf("-h")).toBe(help);
    for (const group of ["Server", "Service", "Limits", "Output"]) expect(help).toContain(`\n\n${group}:\n`);
    expect(help).toMatch(/^ {2}-p, --port +Port of the server.* \[default: 4010\]$/m);
    expect(help).toMatch(/--journal-size [^[]*\[default: 1000\]$/m);
    expect(help).toMatch(/^ {6}--exit-with-parent .* \[boolean\]$/m);
    expect(help).toMatch(/^ {6}--fixtures (?:.*\n)? .* \[array\]/m);
  });

  it("of serve lists every assumption with its values", async () => {
    const help = await helpOf("serve", "--help");
    // Many values take two lines, beside which the question goes on.
    for (const id of assumptionIds) {
      const rows = help.slice(help.indexOf(`\n ${id}: `)).split(/\n(?= \S+: )/);
      expect(rows[1]).toMatch(new RegExp(`^ ${id}: ${valuesOf(id).join(",[^]*?\\s")}(?:\\s|$)`));
    }
  });

  it("comes with a completion script, which yargs prints", async () => {
    expect(await helpOf("completion")).toContain("--get-yargs-completions");
    const complete = async (...words: string[]) =>
      (await helpOf("--get-yargs-completions", "usergroup-mock", ...words)).split("\n");
    expect(await complete("ex")).toEqual(expect.arrayContaining(["exec", "explore"]));
    expect(await complete("exec", "--in")).toContain("--inject");
  });
});

describe("-p", () => {
  it("is not a flag of verify", async () => {
    const { code, stderr } = await runHere(["verify", "-p", "0"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Unknown argument: p.")]);
  });
});
