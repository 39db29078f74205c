import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Change, EndedRun } from "../../../src/lab/explore/changes.js";
import { LogFolder, lastLines } from "../../../src/lab/explore/log-folder.js";
import { ModelSuite } from "./suite-model.js";

const shown = new ModelSuite([{ name: "t", file: "a" }]).run([]);
const changeOf = (name: string): Change => ({ name, of: name, to: "", tests: [] });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-logs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A run that has failed: it has written a log, a report, and the report of a failed test. */
function makeRun(logs: LogFolder, output = "output"): EndedRun {
  const { log, report, tests } = logs.nextRun();
  writeFileSync(log, output);
  writeFileSync(report, "");
  mkdirSync(tests);
  writeFileSync(join(tests, "t.html"), "");
  return { ...shown, log };
}

describe("the folder of explore --logs", () => {
  it("keeps the files that it has, although git ignores some of them", () => {
    for (const name of [".gitignore", "mine.txt"]) writeFileSync(join(folder, name), "*");
    new LogFolder(folder).removeRest();
    expect(readdirSync(folder).sort()).toEqual([".gitignore", "mine.txt"]);
  });

  it("loses what an earlier exploration has left of a run, when that run begins anew", () => {
    makeRun(new LogFolder(folder));
    expect(readdirSync(folder)).toEqual(["run-001-tests", "run-001.html", "run-001.log"]);
    new LogFolder(folder).nextRun();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps of its runs what was shown: a log under the name of its change, with the reports of its run", () => {
    const logs = new LogFolder(folder);
    const [, breaking, stray] = [makeRun(logs), makeRun(logs, "it breaks"), makeRun(logs)];
    const named = logs.nameLog(breaking, changeOf("rotate:acme#1=lost"));
    expect(logs.isShown).toBe(true);
    expect(logs.keepLog(stray)).toBe(stray.log);
    logs.removeRest();
    expect(readdirSync(folder)).toEqual([
      "rotate_acme#1=lost.log",
      "run-002-tests",
      "run-002.html",
      "run-003-tests",
      "run-003.html",
      "run-003.log",
    ]);
    expect(readFileSync(named, "utf8")).toBe("it breaks");
  });

  it("keeps a log also under its own name if both are shown", () => {
    const logs = new LogFolder(folder);
    const run = makeRun(logs);
    logs.keepLog(run);
    logs.nameLog(run, changeOf("a"));
    logs.removeRest();
    expect(readdirSync(folder)).toEqual(["a.log", "run-001-tests", "run-001.html", "run-001.log"]);
  });

  it("has a log for each of two changes whose names differ in what a file name cannot have", () => {
    const logs = new LogFolder(folder);
    const [a, b] = [changeOf("rotate:ä#1=lost"), changeOf("rotate:ö#1=lost")];
    const [first, second] = [makeRun(logs, "a"), makeRun(logs, "b")];
    const paths = [logs.nameLog(first, a), logs.nameLog(second, b), logs.nameLog(first, a)];
    expect(paths.map((path) => path.slice(folder.length + 1))).toEqual([
      "rotate_#1=lost.log",
      "rotate_#1=lost-2.log",
      "rotate_#1=lost.log",
    ]);
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["a", "b", "a"]);
  });

  it("replaces a log of that name of an earlier exploration", () => {
    const change = changeOf("rotate#1=lost");
    writeFileSync(join(folder, "rotate#1=lost.log"), "old");
    const logs = new LogFolder(folder);
    expect(readFileSync(logs.nameLog(makeRun(logs, "new"), change), "utf8")).toBe("new");
  });

  it("has names that are not too long for a file", () => {
    const logs = new LogFolder(folder);
    const path = logs.nameLog(makeRun(logs), changeOf("x".repeat(400)));
    expect(existsSync(path)).toBe(true);
  });

  it("is hidden from git if it is new, and removed if it has nothing to show", () => {
    const path = join(folder, "new", "logs");
    const logs = new LogFolder(path);
    expect(readFileSync(join(path, ".gitignore"), "utf8")).toBe("*\n");
    makeRun(logs);
    expect(logs.isShown).toBe(false);
    logs.removeRest();
    expect(existsSync(path)).toBe(false);
  });
});

describe("the end of a log", () => {
  const endOf = (text: string) => {
    const log = join(folder, "a.log");
    writeFileSync(log, text);
    return lastLines(log).split("\n");
  };

  it("has the last 20 lines, without empty ones after them", () => {
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}\n`);
    const last = endOf(`${lines.join("")}\n\n`);
    expect([last.length, last[0], last.at(-1)]).toEqual([20, "  | line 10", "  | line 29"]);
  });

  it("cuts long lines, and has no colours and control sequences", () => {
    expect(endOf("x".repeat(2_000))[0]).toHaveLength(500 + "  | ".length);
    expect(endOf("\u001b[2J\u001b[31mred\u001b[0m  \r\nend")).toEqual(["  | red", "  | end"]);
  });
});
