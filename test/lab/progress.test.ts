import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Progress } from "../../src/lab/progress.js";

let now = 0;
let printed = "";
beforeEach(() => {
  [now, printed] = [1_000, ""];
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    printed += part;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** A run that takes so long, in seconds. */
function run(progress: Progress, name: string, seconds: number): void {
  progress.begin(name);
  now += seconds * 1_000;
  progress.done(name, "passes");
}

describe("the progress of runs", () => {
  it("has the result and the time of each run, how many are done, and the time left", () => {
    const progress = new Progress();
    run(progress, "first run", 2.26);
    progress.beginStage(3);
    for (const name of ["a", "b", "c"]) run(progress, name, 2);
    expect(printed.split("\n")).toEqual([
      "first run passes (2.3 s)",
      "1/3 a passes (2.0 s, about 4 s left)",
      "2/3 b passes (2.0 s, about 2 s left)",
      "3/3 c passes (2.0 s)",
      "",
    ]);
  });

  it("begins to count and to measure anew with each stage", () => {
    const progress = new Progress();
    progress.beginStage(1);
    run(progress, "a", 60);
    progress.beginStage(2);
    run(progress, "b", 1);
    expect(printed).toContain("\n1/2 b passes (1.0 s, about 1 s left)\n");
  });

  it("measures each of several runs at the same time, and the time left by how many have ended", () => {
    const progress = new Progress();
    progress.beginStage(4);
    progress.begin("a");
    now += 1_000;
    progress.begin("b");
    now += 1_000;
    progress.done("b", "fails");
    progress.done("a", "passes");
    expect(printed).toBe("1/4 b fails (1.0 s, about 6 s left)\n2/4 a passes (2.0 s, about 2 s left)\n");
  });

  it("counts runs that follow when their number becomes known", () => {
    const progress = new Progress();
    run(progress, "a", 1);
    progress.begin("b");
    progress.expect(2);
    progress.done("b", "passes");
    expect(printed).toContain("\n2/4 b passes ");
  });
});

describe("the progress of runs on a terminal", () => {
  const { isTTY, columns } = process.stderr;
  const terminal = (width: number) => Object.assign(process.stderr, { isTTY: true, columns: width });
  afterEach(() => Object.assign(process.stderr, { isTTY, columns }));

  it("ends with the names of what runs now, on one line that can be removed", () => {
    terminal(12);
    const progress = new Progress();
    const clear = "\r\u001b[K";
    progress.begin("first");
    progress.begin("second");
    progress.clear();
    // The last column is left free.
    expect(printed).toBe(`${clear}first${clear}first, seco${clear}`);
    printed = "";
    progress.print(["a line", "another"]);
    expect(printed).toBe(`${clear}a line\nanother\nfirst, seco`);
  });

  it("has 120 columns if its width is unknown", () => {
    terminal(0);
    new Progress().begin("x".repeat(200));
    expect(printed.match(/x/g)).toHaveLength(119);
  });
});
