import { describe, expect, it } from "vitest";
import type { Fault, JournalEntry } from "../../src/generated/types.js";
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

/** @param entries oldest first */
function verdict(
  entries: readonly JournalEntry[],
  { message = "timed out", code = "", hasFailed = true, faults = [] as Fault[], url = "" } = {},
) {
  const error = { message, code };
  return findVerdict({ hasFailed, error, entries: entries.toReversed(), faults, url });
}

describe("findVerdict", () => {
  it("names the fault that assertFaultsFired missed, and its near misses, before everything else", () => {
    const found = verdict([entry({ id: 1 }), stale, waiting(4)], {
      code: "fault_never_fired",
      faults: [missed],
    });
    expect(found).toEqual({
      text: "Fault 1 (rotate → 503) has not fired. #1 it was get-or-create, not rotate.",
      request: 1,
    });
  });

  it("reports that no request came after a fault was armed, but only if that is the error", () => {
    const { nearMisses, ...lonely } = missed;
    const found = verdict([], { code: "fault_never_fired", faults: [lonely] });
    expect(found.text).toContain("No request came after it was armed.");
    expect(verdict([stale], { faults: [missed] }).request).toBe(3);
  });

  it("names the last rejected or broken request after which none succeeded, with the request that explains it", () => {
    const earlier = rejected(1, { code: "invalid_json", message: "The body is not JSON." });
    expect(verdict([earlier, entry({ id: 2 }), stale])).toEqual({
      label: "Likely cause",
      text: "#3 sent a stale token ← #2 rotated it",
      request: 3,
    });
    const lost = entry({
      id: 2,
      fault: 1,
      effect: "rotated",
      outcome: "fault",
      response: null,
      cause: { code: "fault", message: "Fault 1 reset the connection.", fault: 1 },
    });
    expect(verdict([lost, stale]).text).toBe(
      "#3 sent a stale token ← #2 rotated it, its response was lost (fault 1)",
    );
    expect(verdict([earlier, lost]).text).toBe(
      "#2 get-or-create acme failed ← Fault 1 reset the connection.",
    );
  });

  it.each([
    ["the status", "expected 404 to be 200"],
    ["the code", "UserGroupError: unknown_token"],
    ["the message", "no: The current_token was rotated out by request 2."],
  ])("names a rejected request if the error has %s, whatever followed", (_, message) => {
    expect(verdict([stale, entry({ id: 4 })], { message })).toMatchObject({
      label: "Likely cause",
      request: 3,
    });
  });

  it("does not blame a rejection that the test may have intended, and opens the request with a value of the error", () => {
    const entries = [stale, entry({ id: 4 }), entry({ id: 5, response: null })];
    expect(verdict(entries, { message: "expected 40412 to be 1" })).toEqual({
      label: "Last rejected",
      text: "#3 (may be intended)",
      request: 5,
    });
    const request = { ...stale.request, body: { user_group_id: "b" } };
    const other = entry({ id: 6, request, response: null });
    expect(verdict([...entries, other], { message: "expected 'acme' to be 'Acme'" }).request).toBe(5);
    expect(verdict([stale], { hasFailed: false }).label).toBe("Last rejected");
  });

  it("says nothing if no request was rejected, and opens the last one", () => {
    expect(verdict([faulted(1), entry({ id: 2 }), entry({ id: 3 })])).toEqual({ text: "", request: 3 });
  });

  it("names a request that still waits, and the fault that holds it, before a remark", () => {
    expect(verdict([faulted(1), waiting(2), remarked])).toEqual({
      text: "#2 get-or-create acme still waits. Fault 1 holds it.",
      request: 2,
    });
  });

  it("names the last remark, but not that a fault held the request", () => {
    const held = entry({ id: 7, fault: 1, notes: ["fault 1 held the request for 20 ms"] });
    expect(verdict([remarked, held])).toEqual({
      text: "#6 get-or-create acme: field propertys is not in the interface, ignored; did you mean properties?",
      request: 6,
    });
  });

  it.each([
    ["timed out", ". Does your program use this URL, and was the request awaited?"],
    ["Request with GET/HEAD method cannot have body.", ": fetch cannot send a GET with a body"],
  ])("reports as the output of the test does that no request reached the mock: %s", (message, advice) => {
    const url = "http://127.0.0.1:4010/worlds/w3";
    expect(verdict([], { url, message }).text).toContain(
      `No request of this test reached the mock at ${url}${advice}`,
    );
  });
});
