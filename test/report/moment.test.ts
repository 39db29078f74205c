import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/generated/types.js";
import { endedText, splitAt } from "../../src/report/moment.js";
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

  it("still waits", () => {
    expect(endedText(waiting(2), splitAt([waiting(2)], mark))).toBeUndefined();
  });
});
