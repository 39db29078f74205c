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
  it("has the result and the time of each run, how many are done of all, and the time left", () => {
    const progress = new Progress();
    run(progress, "first run", 2.26);
    progress.print("3 values, about 4 runs");
    progress.expect(4);
    for (const name of ["a", "b", "c"]) run(progress, name, 2.26);
    expect(printed.split("\n")).toEqual([
      "first run passes (2.3 s)",
      "3 values, about 4 runs",
      "2/4 a passes (2.3 s, about 5 s left)",
      "3/4 b passes (2.3 s, about 3 s left)",
      "4/4 c passes (2.3 s)",
      "",
    ]);
  });

  it("goes on counting when more runs follow", () => {
    const progress = new Progress();
    progress.expect(2);
    for (const name of ["a", "b"]) run(progress, name, 1);
    progress.expect(3);
    // Fewer than are expected are a part of these.
    progress.expect(1);
    run(progress, "c", 1);
    expect(printed).toMatch(/^1\/2 a .*\n2\/2 b .*\n3\/3 c /);
  });

  it("measures each of several runs at the same time, and the time left by how many have ended", () => {
    const progress = new Progress();
    progress.expect(4);
    progress.begin("a");
    now += 1_000;
    progress.begin("b");
    now += 1_000;
    progress.done("b", "fails");
    progress.done("a", "passes");
    expect(printed).toBe("1/4 b fails (1.0 s, about 6 s left)\n2/4 a passes (2.0 s, about 2 s left)\n");
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
    progress.print("a line");
    expect(printed).toBe(`${clear}a line\nfirst, seco`);
  });

  it("has 120 columns if its width is unknown", () => {
    terminal(0);
    new Progress().begin("x".repeat(200));
    expect(printed.match(/x/g)).toHaveLength(119);
  });
});
