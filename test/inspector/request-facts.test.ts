import { describe, expect, it } from "vitest";
import { remarksOf } from "../../src/inspector/request-facts.js";
import { entry, faulted, rejected, waiting } from "../report/entries.js";

describe("remarksOf", () => {
  const remark = "field propertys is not in the interface, ignored; did you mean properties?";
  const ofFault = "fault 1 held the request for 20 ms";
  const stale = { code: "unknown_token", message: "…" } as const;
  const left = { code: "caller-left", message: "…" } as const;

  it.each([
    ["no fault met", entry({ id: 1, notes: [remark] })],
    ["a fault responded to", { ...faulted(1), notes: [remark] }],
    ["a fault holds", { ...waiting(1), notes: [remark] }],
    ["a fault held until the client left", entry({ id: 1, fault: 1, cause: left, notes: [remark] })],
    ["a fault held", entry({ id: 1, fault: 1, notes: [remark, ofFault] })],
    [
      "a fault held, and that was rejected then",
      { ...rejected(1, stale), fault: 1, notes: [remark, ofFault] },
    ],
  ])("finds the remark of a request that %s", (_, request) => {
    expect(remarksOf(request)).toEqual([remark]);
  });
});
