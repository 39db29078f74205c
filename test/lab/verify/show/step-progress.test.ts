import { expect, it, vi } from "vitest";
import { StepProgress } from "../../../../src/lab/verify/show/step-progress.js";

function stream(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { written, stream: { isTTY, columns: 20, write } };
}

it("prints the prefix first, and in a pipe one line in ten seconds", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { written, stream: pipe } = stream(false);
    const progress = new StepProgress(98, pipe);
    progress.begin("ugm-abc123");
    for (let n = 0; n < 30; n++) {
      vi.advanceTimersByTime(1_000);
      progress.step(`row ${n}`);
    }
    expect(written).toEqual([
      "The names and ids of this run begin with ugm-abc123.\n",
      "10/98 row 9\n",
      "20/98 row 19\n",
      "30/98 row 29\n",
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it("shows what is asked now in a terminal, within its width", () => {
  const { written, stream: terminal } = stream(true);
  new StepProgress(98, terminal).step("existing group: other mapping");
  expect(written.at(-1)).toBe("1/98 existing group");
});
