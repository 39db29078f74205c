import { describe, expect, it } from "vitest";
import { findChanges, inBoth } from "../../../../src/lab/verify/check/drift.js";

const sent = { method: "POST", path: "/api/user", headers: {}, body: {} };
const received = { status: 400, headers: {}, text: "", json: undefined };
const row = "current_token: unknown";

/** What has changed in one rejection. */
function changes(was: object, now: object) {
  const seen = new Map([[row, { sent, received, outcome: undefined }]] as const);
  const learned = { situations: {}, unlearned: new Map(), found: { [row]: now } };
  return findChanges({ [row]: was }, { seen }, learned).map(({ profile, service }) => [profile, service]);
}

const response = (body: unknown, more: object = {}) => ({ status: 404, body, ...more });

describe("a change of a response is found", () => {
  it.each<[string, object, object, string, string]>([
    ["status", response({}), { ...response({}), status: 410 }, "status 404", "status 410"],
    [
      "a code",
      response({ a: { code: "GONE" } }),
      response({ a: { code: "LOST" } }),
      "a.code GONE",
      "a.code LOST",
    ],
    ["a code in a list", response([{ c: "A" }]), response([{ c: "B" }]), "[].c A", "[].c B"],
    ["a type", response({ a: 1 }), response({ a: "1" }), "a number", "a string"],
    ["a field less", response({ a: 1, b: 2 }), response({ a: 1 }), "b number", "no b"],
    ["a field more", response({ a: 1 }), response({ a: 1, b: null }), "no b", "b null"],
    ["a text instead of JSON", response({ a: 1 }), { status: 404, text: "no" }, "JSON", "a text"],
    [
      "a header",
      response({}, { headers: { A: "1" } }),
      response({}, { headers: { A: "2" } }),
      "A: 1",
      "A: 2",
    ],
    ["a header less", response({}, { headers: { A: "1" } }), response({}), "A: 1", "no A"],
  ])("%s", (_, was, now, profile, service) => {
    expect(changes(was, now)).toEqual([[profile, service]]);
  });
});

describe("no change is", () => {
  it.each<[string, object, object]>([
    ["a reworded message", response({ m: "It is gone." }), response({ m: "It was lost." })],
    ["another number", response({ a: 1 }), response({ a: 2 })],
    ["an id with digits", response({ id: "a1" }), response({ id: "b2" })],
    ["a longer list", response({ a: [1] }), response({ a: [1, 2] })],
    ["an empty list", response({ a: [{ b: 1 }] }), response({ a: [] })],
    [
      "the order of Allow",
      response({}, { headers: { Allow: "GET, POST" } }),
      response({}, { headers: { Allow: "POST, GET" } }),
    ],
    ["a placeholder", response({ a: "{name}" }), response({ a: 1 })],
    ["what the file leaves out", { body: { a: 1 } }, response({ a: 1 }, { headers: { A: "1" } })],
  ])("%s", (_, was, now) => {
    expect(changes(was, now)).toEqual([]);
  });
});

it("what differs between two looks is no change", () => {
  const change = { situation: row, document: "–", profile: "a", service: "b" };
  expect(inBoth([change, { ...change, service: "c" }], [change])).toEqual([change]);
});
