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
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LogFolder, lastLines } from "../../../src/lab/explore/log-folder.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-logs-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** A run that has failed: it has written a log, a report, and the report of a failed test. */
function makeRun(logs: LogFolder, number: number) {
  const { log, report, tests } = logs.filesOf(number);
  writeFileSync(log, "output");
  writeFileSync(report, "");
  mkdirSync(tests);
  writeFileSync(join(tests, "t.html"), "");
  return { number, log };
}

const files = (path: string) => readdirSync(path).sort();

describe("the folder of an exploration", () => {
  it("has the process id in its name, and is below one that Git ignores", () => {
    const parent = join(folder, "new", "logs");
    const logs = new LogFolder(parent);
    expect(dirname(logs.path)).toBe(parent);
    expect(basename(logs.path)).toMatch(new RegExp(`^${process.pid}-\\w{6}$`));
    expect(readFileSync(join(parent, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("keeps of its runs what is shown, and is removed if that is nothing", () => {
    const [one, none] = [new LogFolder(folder), new LogFolder(folder)];
    makeRun(one, 1);
    const shown = makeRun(one, 2);
    makeRun(none, 1);
    expect(one.keep(shown)).toBe(shown.log);
    one.removeRest();
    none.removeRest();
    expect([one.isShown, none.isShown]).toEqual([true, false]);
    expect(files(one.path)).toEqual(["run-002-tests", "run-002.html", "run-002.log"]);
    expect(existsSync(none.path)).toBe(false);
  });

  it("keeps what others have put there", () => {
    const logs = new LogFolder(folder);
    makeRun(logs, 1);
    writeFileSync(join(logs.path, "mine.txt"), "");
    writeFileSync(join(logs.path, "run-001-tests", "mine.txt"), "");
    logs.removeRest();
    expect(files(logs.path)).toEqual(["mine.txt", "run-001-tests"]);
    expect(files(join(logs.path, "run-001-tests"))).toEqual(["mine.txt"]);
  });
});

describe("folders of earlier explorations", () => {
  /** More than a process id can be. */
  const ended = 2 ** 30;

  /** Folders in `usergroup-mock-explore`, with a log each. */
  function earlier(...names: string[]): string {
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    const parent = join(folder, "usergroup-mock-explore");
    for (const name of names) {
      mkdirSync(join(parent, name), { recursive: true });
      writeFileSync(join(parent, name, "run-001.log"), "");
      writeFileSync(join(parent, name, "run-001.html"), "");
    }
    return parent;
  }

  it("are removed if their process has ended, except for files of others", () => {
    const parent = earlier(`${ended}-abcDEF`, `${ended}-ghiJKL`);
    writeFileSync(join(parent, `${ended}-ghiJKL`, "notes.txt"), "");
    new LogFolder(undefined).removeRest();
    expect(files(parent)).toEqual([`${ended}-ghiJKL`]);
    expect(files(join(parent, `${ended}-ghiJKL`))).toEqual(["notes.txt"]);
  });

  it("are kept if their process runs, or if they have another name", () => {
    const names = [`${process.pid}-abcDEF`, "run-001-tests", "1073741824", `${ended}-abcDEFG`, "mine"];
    const parent = earlier(...names);
    writeFileSync(join(parent, "run-001.log"), "");
    new LogFolder(undefined).removeRest();
    expect(files(parent)).toEqual([...names, "run-001.log"].sort());
  });

  it("are kept below a folder given with --logs", () => {
    const parent = earlier(`${ended}-abcDEF`);
    new LogFolder(parent).removeRest();
    expect(files(parent)).toEqual([`${ended}-abcDEF`]);
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
