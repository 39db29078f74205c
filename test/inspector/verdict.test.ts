import { describe, expect, it } from "vitest";
import type { Fault, JournalEntry } from "../../src/generated/types.js";
import { findGroups } from "../../src/inspector/request-facts.js";
import { findVerdict } from "../../src/inspector/verdict.js";
import { entry, faulted, rejected, waiting } from "./entries.js";

const stale = rejected(3, {
  code: "unknown_token",
  message: "The current_token was rotated out by request 2.",
  request: 2,
});
const remarked = entry({
  id: 6,
  notes: ["field propertys is not in the interface, ignored; did you mean properties?"],
});
const missed: Fault = {
  id: 1,
  operation: "rotate",
  status: 503,
  fired: 0,
  holding: 0,
  active: true,
  nearMisses: [{ request: 1, reason: "it was get-or-create, not rotate" }],
};

function verdict(
  entries: readonly JournalEntry[],
  { errorCode = "", faults = [] as Fault[], url = "" } = {},
) {
  return findVerdict({ errorCode, entries, groups: findGroups(entries, []), faults, url });
}

describe("findVerdict", () => {
  it("names the fault that assertFaultsFired missed, and its nearest request, before everything else", () => {
    const found = verdict([entry({ id: 1 }), stale, waiting(4)], {
      errorCode: "fault_never_fired",
      faults: [missed],
    });
    expect(found).toEqual({
      text: "Fault 1 (rotate → 503) has not fired. #1 came closest: it was get-or-create, not rotate.",
      request: 1,
    });
  });

  it("reports that no request came after a fault was armed, but only if that is the error", () => {
    const { nearMisses, ...lonely } = missed;
    const found = verdict([], { errorCode: "fault_never_fired", faults: [lonely] });
    expect(found.text).toContain("No request came after it was armed.");
    expect(verdict([stale], { faults: [missed] }).request).toBe(3);
  });

  it("names the last rejected request, and the request that explains it, before one that a fault failed", () => {
    const earlier = rejected(1, { code: "invalid_json", message: "The body is not JSON." });
    expect(verdict([earlier, entry({ id: 2 }), stale, entry({ id: 4 }), waiting(5)])).toEqual({
      text: "#3 used a token that #2 had rotated.",
      request: 3,
    });
    expect(verdict([earlier, faulted(2)]).text).toBe(
      "#1 get-or-create acme was rejected: The body is not JSON.",
    );
  });

  it("names a request that still waits, and the fault that holds it", () => {
    expect(verdict([faulted(1), waiting(2), remarked])).toEqual({
      text: "#2 get-or-create acme still waits. Fault 1 holds it.",
      request: 2,
    });
  });

  it("names a request that a fault failed, if nothing followed it successfully", () => {
    const other = entry({ id: 4, operation: "rotate" });
    expect(verdict([faulted(1), entry({ id: 2 }), faulted(3), other]).request).toBe(3);
    expect(verdict([faulted(1), entry({ id: 2 })]).text).toBe("No request was rejected.");
  });

  it("names a request whose client disconnected", () => {
    const left = entry({
      id: 1,
      outcome: "failure",
      delivery: "caller-left",
      effect: "none",
      response: null,
      cause: { code: "caller-left", message: "The client closed the connection after 50 ms." },
    });
    expect(verdict([left])).toEqual({
      text: "#1 get-or-create acme failed. The client closed the connection after 50 ms.",
      request: 1,
    });
  });

  it("names the last remark, but not that a fault held the request", () => {
    const held = entry({ id: 7, fault: 1, notes: ["fault 1 held the request for 20 ms"] });
    expect(verdict([remarked, held])).toEqual({
      text: "#6 get-or-create acme: field propertys is not in the interface, ignored; did you mean properties?",
      request: 6,
    });
  });

  it("reports that no request reached the mock, and which URL to check", () => {
    expect(verdict([], { url: "http://127.0.0.1:4010/worlds/w3" })).toEqual({
      text: "No request of this test reached the mock. Check that your program uses the URL http://127.0.0.1:4010/worlds/w3",
      request: undefined,
    });
  });
});
