import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { learnResponses, writeResponses } from "../../../../src/lab/verify/learn/learn-responses.js";
import type { Named } from "../../../../src/lab/verify/replay/name-responses.js";
import { named, type SeenPart, type SentPart, success } from "../seen-responses.js";

const learn = (entries: readonly Named[]) => learnResponses(entries, (text) => text);
const failure = (words: string) => ({ success: 0, error: words });

/** The head of the response that is learned from one. */
function headOf(name: string, seen: SeenPart, mockHeaders: Named["mockHeaders"] = {}) {
  const { body, text, ...head } = learn([named(name, {}, seen, { mockHeaders })]).responses.get(name) ?? {};
  return head;
}

describe("the head of a response has", () => {
  const json = { success: 0 };
  it.each<[string, SeenPart, JsonObject | undefined]>([
    ["no Content-Type for JSON", { body: json }, undefined],
    ["no Content-Type for plain text", { body: "no" }, undefined],
    ["no Content-Type for HTML", { body: " <p>", headers: { "content-type": "text/html" } }, undefined],
    ["no Content-Type if there is none", { body: "no", headers: { "content-type": "" } }, undefined],
    [
      "another Content-Type with its parameters",
      { body: json, headers: { "content-type": "application/problem+json; charset=utf-8" } },
      { "Content-Type": "application/problem+json; charset=utf-8" },
    ],
    [
      "the Content-Type of HTML that does not look like it",
      { body: "no", headers: { "content-type": "text/html" } },
      { "Content-Type": "text/html" },
    ],
    [
      "a challenge",
      { body: json, headers: { "www-authenticate": "Bearer" } },
      { "WWW-Authenticate": "Bearer" },
    ],
  ])("%s", (_, seen, headers) => {
    const expected = { status: 400, ...(headers && { headers }) };
    expect(headOf("invalid_json", { status: 400, ...seen })).toEqual(expected);
  });

  it("the challenge of a 401 only if it is not that of the mock, and none if there is none", () => {
    const challenge = (value?: string) =>
      headOf("unauthorized", {
        status: 401,
        body: json,
        headers: value === undefined ? {} : { "www-authenticate": value },
      });
    expect(challenge("Token")).toEqual({ status: 401 });
    expect(challenge("Bearer")).toEqual({ status: 401, headers: { "WWW-Authenticate": "Bearer" } });
    expect(challenge()).toEqual({ status: 401, headers: { "WWW-Authenticate": null } });
  });

  it("the methods only if they are not those of the mock, and none if there are none", () => {
    const methods = (value?: string) =>
      headOf(
        "method_not_allowed",
        { status: 405, body: json, headers: value === undefined ? {} : { allow: value } },
        { allow: "GET" },
      );
    expect(methods("GET")).toEqual({ status: 405 });
    expect(methods("POST")).toEqual({ status: 405, headers: { Allow: "POST" } });
    expect(methods()).toEqual({ status: 405, headers: { Allow: null } });
  });

  it("clean headers", () => {
    const headers = { "content-type": "text/x-secret", "www-authenticate": "secret" };
    const entry = named("unauthorized", {}, { status: 401, body: "no", headers });
    const { responses } = learnResponses([entry], (text) => text.replace("secret", "*"));
    expect(responses.get("unauthorized")?.headers).toEqual({
      "Content-Type": "text/x-*",
      "WWW-Authenticate": "*",
    });
  });
});

describe("what is learned from responses", () => {
  const rejection = (name: string, words: string, sent: SentPart = {}, status = 422) =>
    named(name, { body: { name: 1 }, ...sent }, { status, body: failure(words) });
  const learned = (name: string, entries: readonly Named[]) => learn(entries).responses.get(name);

  it("has the names that were seen, and the wider ones", () => {
    const { responses } = learn([rejection("invalid_body.name.type", "a"), rejection("", "b")]);
    expect([...responses.keys()]).toEqual(["invalid_body", "invalid_body.name", "invalid_body.name.type"]);
  });

  it("is the most frequent response of a name, and the first of those that are as frequent", () => {
    const entries = ["a", "b", "b", "a", "c"].map((words) => rejection("invalid_json", words));
    expect(learned("invalid_json", entries)).toEqual({ status: 422, body: failure("a") });
    expect(learned("invalid_json", entries.slice(0, 3))).toEqual({ status: 422, body: failure("b") });
  });

  it("is of requests with several mistakes only if there are no others", () => {
    const several = { hasSeveralMistakes: true };
    const many = ["a", "a"].map((words) => rejection("invalid_body.name.type", words, several));
    expect(
      learned("invalid_body.name.type", [...many, rejection("invalid_body.name.type", "b")])?.body,
    ).toEqual(failure("b"));
    expect(learned("invalid_body.name.type", many)?.body).toEqual(failure("a"));
  });

  it("is for a wide name what most narrower names have, each of them counted once", () => {
    const entries = [
      rejection("invalid_body.name.type", "often"),
      rejection("invalid_body.name.type", "often"),
      rejection("invalid_body.name.type", "often"),
      rejection("invalid_body.name.null", "a"),
      rejection("invalid_body.mapping.type", "a"),
    ];
    expect(learned("invalid_body", entries)?.body).toEqual(failure("a"));
  });

  it("is for a wide name what requests with one mistake get", () => {
    const several = { hasSeveralMistakes: true };
    const entries = [
      rejection("invalid_body.name.type", "a", several),
      rejection("invalid_body.name.type", "a", several),
      rejection("invalid_body.name.type", "b"),
      rejection("invalid_body.mapping.type", "b"),
    ];
    expect(learned("invalid_body", entries)?.body).toEqual(failure("b"));
  });

  it("is for a wide name no crash, unless there is nothing else", () => {
    const crashes = ["null", "type"].map((kind) => rejection(`invalid_body.name.${kind}`, "crash", {}, 500));
    expect(learned("invalid_body", [...crashes, rejection("invalid_body.name.long", "a")])?.body).toEqual(
      failure("a"),
    );
    expect(learned("invalid_body", crashes)?.body).toEqual(failure("crash"));
  });

  it("is for a success what the first group got", () => {
    const entries = [200, 201, 201].map((status) =>
      named("created", {}, { ...success({ provided_id: String(status) }), status }),
    );
    expect(learned("created", entries)).toEqual({ status: 200 });
  });

  it("has the paths of examples in successes and in rejections", () => {
    const { examplePaths } = learn([
      ...[1, 2].map((id) => named("created", {}, success({ provided_id: `${id}`, id }))),
      ...[1, 2].map((n) => named("invalid_json", {}, { status: 400, body: { n } })),
    ]);
    expect([...examplePaths]).toEqual(["/user_group/id", "/n"]);
  });

  it("has an empty text of a rejection, and no body of a success without added fields", () => {
    expect(learned("invalid_json", [named("invalid_json", {}, { status: 400, body: "" })])).toEqual({
      status: 400,
      text: "",
    });
    expect(learned("found", [named("found", {}, success({}))])).toEqual({ status: 200 });
  });
});

describe("the responses that are written", () => {
  const write = (responses: Readonly<Record<string, object>>) =>
    writeResponses(new Map(Object.entries(responses)));

  it("are those in which a narrow name differs from the nearest wider one", () => {
    const same = { status: 422, text: "a" };
    const other = { status: 422, text: "b" };
    expect(
      write({
        invalid_body: same,
        "invalid_body.name": other,
        "invalid_body.name.type": other,
        "invalid_body.name.null": same,
        "invalid_body.mapping.type": same,
      }),
    ).toEqual({ invalid_body: same, "invalid_body.name": other, "invalid_body.name.null": same });
  });

  it("do not get headers from the wider name", () => {
    const wide = { status: 401, headers: { Allow: "GET" } };
    expect(write({ unauthorized: wide, "unauthorized.missing": { status: 403 } })).toEqual({
      unauthorized: wide,
      "unauthorized.missing": { status: 403, headers: {} },
    });
  });

  it("are in the order of the names, whatever came first", () => {
    const names = ["unauthorized", "invalid_json", "created"];
    const written = Object.keys(
      write(Object.fromEntries(names.map((name, n) => [name, { status: 400 + n }]))),
    );
    expect(written).toEqual(["created", "invalid_json", "unauthorized"]);
  });
});
