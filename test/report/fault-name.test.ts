import { describe, expect, it } from "vitest";
import type { FaultRule } from "../../src/generated/types.js";
import { faultName } from "../../src/report/fault-name.js";

const token = "0123456789abcdef".repeat(4);

describe("the name of a fault", () => {
  it.each<[name: string, fault: FaultRule]>([
    ["any request → 503", { status: 503 }],
    ["rotate → 503 ×2", { operation: "rotate", status: 503, times: 2 }],
    ["rotate → 503, always", { operation: "rotate", status: 503, times: "always" }],
    ["hold rotate acme ×3", { operation: "rotate", hold: true, match: { user_group_id: "acme" }, times: 3 }],
    ["rotate → response lost", { operation: "rotate", reset: true, phase: "after" }],
    ["rotate → response lost", { operation: "rotate", empty: true, phase: "after" }],
    [
      'get-or-create acme name=Acme mapping={"a":1} → 503',
      {
        operation: "get-or-create",
        status: 503,
        match: { user_group_id: "acme", name: "Acme", mapping: { a: 1 } },
      },
    ],
    [
      "rotate current_token=01234567… → 503",
      { operation: "rotate", status: 503, match: { current_token: token } },
    ],
    [
      `get-or-create ${"x".repeat(20)} → 503`,
      { operation: "get-or-create", status: 503, match: { user_group_id: "x".repeat(20) } },
    ],
  ])("is %s", (name, fault) => {
    expect(faultName(fault)).toBe(name);
  });

  it("differs if the request takes effect before its connection is reset", () => {
    const before = faultName({ operation: "rotate", reset: true });
    expect(before).not.toBe(faultName({ operation: "rotate", reset: true, phase: "after" }));
  });
});
