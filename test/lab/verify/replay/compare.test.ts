import { describe, expect, it } from "vitest";
import { compareResponses } from "../../../../src/lab/verify/replay/compare.js";
import type { Played } from "../../../../src/lab/verify/replay/play.js";
import { Secrets } from "../../../../src/lab/verify/text/secrets.js";
import {
  recorded,
  rejected,
  responseWith,
  type SeenPart,
  type SentPart,
  success,
} from "../seen-responses.js";

const headers = { "content-type": "application/json" };

const parts = { secrets: new Secrets([]), clean: (text: string) => text, examplePaths: new Set<string>() };

function played(seen: SeenPart, mocked: SeenPart | undefined, sent: SentPart = {}): Played {
  return { ...recorded(sent, seen), mocked: mocked && responseWith(mocked) };
}

it("no profile can express a redirect", () => {
  for (const status of [300, 307, 399]) {
    const one = played({ status, headers }, { ...rejected, status: 404 }, { path: "/api/user/" });
    const { different } = compareResponses([one], parts);
    expect(different).toMatchObject([{ inexpressible: "The mock does not redirect." }]);
  }
  const { different } = compareResponses([played({ ...rejected, status: 400 }, success({}))], parts);
  expect(different[0]).not.toHaveProperty("inexpressible");
});

it("what no profile can express about a request comes before what it cannot express about a redirect", () => {
  const one = played({ status: 307, headers }, rejected, { inexpressible: "several mistakes" });
  expect(compareResponses([one], parts).different).toMatchObject([{ inexpressible: "several mistakes" }]);
});

it("a request whose token the mock has never issued does not count as same", () => {
  const one = played({ ...rejected, status: 404 }, undefined, {
    method: "POST",
    body: { current_token: "t" },
  });
  expect(compareResponses([one], parts)).toMatchObject({
    same: 0,
    exact: 0,
    of: 1,
    different: [{ mock: "has not issued this token", mockIs: "different" }],
  });
});

it.each([
  ["lenient", "rejects", rejected, success({})],
  ["strict", "accepts", success({}), rejected],
  ["different", "rejects otherwise", rejected, { ...rejected, status: 400 }],
])("the mock is %s where the service %s", (mockIs, _, service, mock) => {
  expect(compareResponses([played(service, mock)], parts).different).toMatchObject([{ mockIs }]);
});

describe("a difference is shown", () => {
  const show = (seen: SeenPart, sent: SentPart) =>
    compareResponses([played(seen, rejected, sent)], { ...parts, secrets: new Secrets(["api-token"]) })
      .different[0];

  it("with the request and both responses", () => {
    expect(show({ status: 404, body: "no" }, { method: "POST", body: { a: 1 } })).toEqual({
      request: 'POST /api/user {"a":1}',
      service: "404 text/plain no",
      mock: '422 application/json {"success":0}',
      mockIs: "different",
    });
  });

  it("without secrets, wherever they are", () => {
    expect(
      show({ status: 404, body: "of api-token" }, { path: "/api-token", body: "api-token\u001b" }),
    ).toMatchObject({ request: "GET /[secret] [secret]\\u001b", service: "404 text/plain of [secret]" });
  });

  it("in 400 characters", () => {
    const { request, service } = {
      ...show({ status: 404, body: "x ".repeat(400) }, { body: "y ".repeat(400) }),
    };
    expect([request, service].map((text) => [text?.length, text?.at(-1)])).toEqual([
      [401, "…"],
      [401, "…"],
    ]);
  });

  it("without the type if there is none", () => {
    const seen = { status: 204, headers: { "content-type": "" } };
    expect(show(seen, {})?.service).toBe("204");
  });
});

it("a request without a body is shown as such", () => {
  const one = played({ status: 404 }, rejected);
  const withoutBody = { ...one, request: { ...one.request, text: undefined } };
  expect(compareResponses([withoutBody], parts).different[0]?.request).toBe("GET /api/user without a body");
});

describe("the body of the same response is", () => {
  const isExact = (seen: SeenPart, mocked: SeenPart, more: Partial<typeof parts> = {}) => {
    const { same, exact } = compareResponses([played(seen, mocked)], { ...parts, ...more });
    expect(same).toBe(1);
    return exact === 1;
  };
  const no = (why: unknown): SeenPart => ({ status: 422, body: { success: 0, why } });

  it("exact if it is equal", () => {
    expect(isExact(no("a"), no("a"))).toBe(true);
    expect(isExact(no("a"), no("b"))).toBe(false);
    expect(isExact({ body: "a" }, { body: "a" })).toBe(true);
    expect(isExact({ body: "a" }, { body: "b" })).toBe(false);
  });

  it("exact without examples and times", () => {
    expect(isExact(no("a"), no("b"), { examplePaths: new Set(["/why"]) })).toBe(true);
    expect(isExact(no(1_790_000_000), no(1_790_000_001))).toBe(true);
  });

  it("exact if it is equal when it is clean, as JSON and as a text", () => {
    const clean = (text: string) => text.replace(/\d/g, "");
    expect(isExact(no("a1"), no("a2"), { clean })).toBe(true);
    expect(isExact({ body: "a1" }, { body: "a2" }, { clean })).toBe(true);
    expect(isExact(no(1), no(2), { clean })).toBe(false);
  });

  it("not exact if the token of a success is another one, although it is clean", () => {
    const clean = () => "example";
    expect(isExact(success({ token: "a" }), success({ token: "a" }), { clean })).toBe(true);
    expect(isExact(success({ token: "a" }), success({ token: "b" }), { clean })).toBe(false);
  });
});

it("the numbers of a comparison are those of all, the same and the exact ones", () => {
  const all = [
    played(rejected, rejected),
    played({ body: "a" }, { body: "b" }),
    played(rejected, success({})),
    played(rejected, undefined),
  ];
  const { different, ...numbers } = compareResponses(all, parts);
  expect(numbers).toEqual({ same: 2, exact: 1, of: 4 });
  expect(different).toHaveLength(2);
});

it("what no profile can express is about what is accepted, so it explains nothing if both accept it", () => {
  const sent = { inexpressible: "several mistakes" };
  const seen = success({ added: 1 });
  expect(compareResponses([played(seen, success({}), sent)], parts).different[0]).not.toHaveProperty(
    "inexpressible",
  );
  expect(compareResponses([played(seen, rejected, sent)], parts).different).toMatchObject([sent]);
});

it.each([
  [{ "Content-Type": "application/json", Authorization: "Token t" }, ""],
  [{ "Content-Type": "text/plain", Authorization: "Token t" }, " as text/plain"],
  [{ Authorization: "Token t" }, " without Content-Type"],
  [{ "Content-Type": "application/json" }, " without an API token"],
])("a request with the headers %j is shown with what is unusual in them", (headers, words) => {
  const one = played({ status: 404 }, rejected);
  const { different } = compareResponses([{ ...one, request: { ...one.request, headers } }], parts);
  expect(different[0]?.request).toBe(`GET /api/user {}${words}`);
});
