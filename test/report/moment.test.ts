import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/generated/types.js";
import { arrivedAfter, endedText, splitAt } from "../../src/report/moment.js";
import { entry, waiting } from "./entries.js";

describe("a request that waited at the failure", () => {
  const at = Date.UTC(2026, 0, 31) + 20;
  const mark = { at: new Date(at + 5).toISOString(), epoch: 1, lastRequest: 2, waiting: [2] };

  it.each<[delivery: Delivery, text: string]>([
    ["complete", "its response was sent 395 ms after the failure"],
    ["cut", "a part of its response was sent 395 ms after the failure"],
    ["none", "the mock closed the connection 395 ms after the failure"],
    ["caller-left", "the client closed the connection 395 ms after the failure"],
  ])("ended later: %s", (delivery, text) => {
    const ended = entry({ id: 2, fault: 1, delivery, durationMs: 400 });
    expect(endedText(ended, splitAt([ended], mark))).toBe(text);
  });

  it.each([
    [0, []],
    [100, []],
    [101, [2]],
  ])("did not wait if its client left so soon that the mock notices it later: %i ms", (ms, ids) => {
    const cause = { code: "caller-left", message: "" } as const;
    const gone = entry({ id: 2, delivery: "caller-left", cause, durationMs: 5 + ms });
    const error = { name: "TimeoutError", message: "The operation was aborted" } as const;
    expect(splitAt([gone], mark, error).waiting.map(({ id }) => id)).toEqual(ids);
    expect(splitAt([gone], mark, { ...error, kind: "time-limit" }).waiting).toHaveLength(1);
  });

  it("still waits", () => {
    expect(endedText(waiting(2), splitAt([waiting(2)], mark))).toBeUndefined();
  });
});

describe("the requests of a failed test", () => {
  const at = Date.UTC(2026, 0, 31) + 30;
  const mark = { at: new Date(at).toISOString(), epoch: 1, lastRequest: 2, waiting: [] };
  const idsOf = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id);
  const entries = [4, 1, 3, 2].map((id) => entry({ id }));

  it("are those before the failure and those after it, oldest first", () => {
    const { before, after } = splitAt(entries, mark);
    expect([idsOf(before), idsOf(after)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("all came before it if no hook saw it, and those without a response waited", () => {
    const { before, after, waiting: open } = splitAt([...entries, waiting(5)], undefined);
    expect([idsOf(before), after, idsOf(open)]).toEqual([[1, 2, 3, 4, 5], [], [5]]);
  });

  it("arrived so long after it", () => {
    const moment = splitAt(entries, { ...mark, lastRequest: 3 });
    expect(arrivedAfter(entry({ id: 4 }), moment)).toBe("10 ms ");
  });

  it("arrived at a time that is not known if the first of them showed the failure", () => {
    const moment = splitAt(entries, mark);
    expect(arrivedAfter(entry({ id: 3 }), moment)).toBe("");
    expect(arrivedAfter(entry({ id: 4 }), moment)).toBe("");
  });
});
