import { describe, expect, it } from "vitest";
import type { Cause, JournalEntry } from "../../src/generated/types.js";
import {
  isHandled,
  isRepeated,
  kindOfRequest,
  type RequestKind,
  remarksOf,
  requestName,
} from "../../src/report/entry-facts.js";
import { entry, faulted, rejected, waiting } from "./entries.js";

describe("a request is", () => {
  it.each<[kind: RequestKind, code: Cause["code"] | null]>([
    ["ok", null],
    ["rejected", "unknown_token"],
    ["rejected", "invalid_body"],
    ["fault", "fault"],
    ["fault", "injected"],
    ["aborted", "caller-left"],
    ["aborted", "reset"],
    ["aborted", "stopped"],
  ])("%s if its cause is %s", (kind, code) => {
    expect(kindOfRequest({ outcome: "failure", cause: code && { code, message: "" } })).toBe(kind);
  });

  it("waiting until it has ended", () => {
    expect(kindOfRequest(waiting(1))).toBe("waiting");
  });
});

describe("the name of a request", () => {
  it("has its operation, or its method and path, and its group, even one without a name", () => {
    const { operation, group, ...elsewhere } = entry({ id: 1 });
    expect(requestName(entry({ id: 1 }))).toBe("get-or-create acme");
    expect(requestName(entry({ id: 1, group: { team_id: 3, provided_id: "" } }))).toBe('get-or-create ""');
    expect(requestName({ ...elsewhere, operation: null } as JournalEntry)).toBe("GET /api/user");
  });
});

describe("a request that another one follows successfully", () => {
  // A request with this id begins 10 ms after that with the id before.
  const long = entry({ id: 1, durationMs: 15 });

  it("had ended when the other one began", () => {
    expect(isHandled(long, [long, entry({ id: 2 })])).toBe(false);
    expect(isHandled(long, [long, entry({ id: 3 })])).toBe(true);
    expect(isHandled(waiting(1), [waiting(1), entry({ id: 3 })])).toBe(false);
    expect(isHandled(long, [long, faulted(3)])).toBe(false);
  });

  it("may have ended in the millisecond in which the other one began", () => {
    const ended = entry({ id: 1, durationMs: 10.4 });
    expect(isHandled(ended, [ended, entry({ id: 2 })])).toBe(true);
  });

  it("was repeated if that one is the same and succeeded", () => {
    const failed = faulted(1);
    expect(isRepeated(failed, [failed, entry({ id: 2 })])).toBe(true);
    expect(isRepeated(failed, [failed, faulted(2)])).toBe(false);
    const { request } = entry({ id: 2 });
    for (const other of [{ method: "POST" }, { path: "/api/user/" }, { body: { user_group_id: "b" } }])
      expect(isRepeated(failed, [failed, entry({ id: 2, request: { ...request, ...other } })])).toBe(false);
  });
});

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
