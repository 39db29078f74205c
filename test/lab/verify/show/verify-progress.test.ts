import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StepProgress } from "../../../../src/lab/verify/show/verify-progress.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function progressOn({ isTTY = false, columns = 0 }) {
  const stream = Object.create(process.stderr, {
    isTTY: { value: isTTY },
    columns: { value: columns },
    write: { value: (text: string) => written.push(text) > 0 },
  });
  const written: string[] = [];
  const progress = new StepProgress(stream);
  progress.begin({ prefix: "ugm-abcdef", steps: 3 });
  expect(written.splice(0)).toEqual(["The names and ids of this run begin with ugm-abcdef.\n"]);
  return { progress, written };
}

it("a pipe gets a line after ten seconds, and the next one after ten more", () => {
  const { progress, written } = progressOn({});
  progress.step("one");
  vi.advanceTimersByTime(9_999);
  progress.step("two");
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  progress.step("three");
  progress.step("four");
  vi.advanceTimersByTime(9_999);
  progress.step("five");
  expect(written).toEqual(["3/3 three\n"]);
  vi.advanceTimersByTime(1);
  progress.step("six");
  // There are never more steps than all.
  expect(written).toEqual(["3/3 three\n", "3/3 six\n"]);
  progress.clear();
  expect(written).toHaveLength(2);
});

it("a terminal shows each question in place of the one before, as far as it fits into the line", () => {
  const { progress, written } = progressOn({ isTTY: true, columns: 10 });
  progress.step("a question");
  progress.step("b");
  progress.clear();
  const removed = "\r\x1b[K";
  expect(written).toEqual([removed, "1/3 a que", removed, "2/3 b", removed]);
});

it("a terminal of unknown width has 120 columns", () => {
  const { progress, written } = progressOn({ isTTY: true });
  progress.step("x".repeat(200));
  expect(written[1]).toHaveLength(119);
});
