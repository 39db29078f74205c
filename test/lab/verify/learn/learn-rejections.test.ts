import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { Rejections } from "../../../../src/lab/verify/learn/learn-rejections.js";
import { named, type SentPart } from "../seen-responses.js";

const name = "invalid_body.name.type";

function learn(
  bodies: readonly unknown[],
  { sent = {}, clean = (text: string) => text }: { sent?: SentPart; clean?: (text: string) => string } = {},
) {
  const entries = bodies.map((body) => named(name, sent, { status: 422, body }));
  const rejections = new Rejections(entries, clean);
  return {
    contents: entries.map((entry) => rejections.contentOf(entry)),
    examplePaths: [...rejections.examplePaths()],
  };
}

/** What is learned of a value that rejections of one name have in a field. */
const values = (...all: readonly unknown[]) => {
  const { contents } = learn(all.map((value) => ({ value })));
  return contents.map(({ body }) => Object(body).value);
};

describe("the value in which rejections of one name differ", () => {
  it.each([
    ["the first number", [17, 18, 17], [17, 17, 17]],
    ["an example, if it looks like an id", ["r-1", "r-2"], ["example", "example"]],
    ["an example, if only one of them looks like an id", ["deadbeef", "deadbee5"], ["deadbeef", "example"]],
    ["each text as it is, if it is a sentence", ["line 1", "line 2"], ["line 1", "line 2"]],
    ["each text as it is, if it is a code in words", ["null_value", "bad_type"], ["null_value", "bad_type"]],
    ["each value as it is, if it is none of these", [true, false], [true, false]],
  ])("is %s", (_, seen, learned) => {
    expect(values(...seen)).toEqual(learned);
  });

  it("is not compared", () => {
    expect(
      learn([
        { a: 1, b: 2, c: "x1" },
        { a: 1, b: 3, c: "x2" },
      ]).examplePaths,
    ).toEqual(["/b", "/c"]);
    expect(learn([{ a: "deadbeef" }, { a: "deadbee5" }]).examplePaths).toEqual(["/a"]);
    expect(learn([{ a: "one" }, { a: "two" }]).examplePaths).toEqual([]);
  });

  it("is not found in rejections of another shape", () => {
    expect(learn([{ a: 1 }, { a: 2, b: 1 }]).examplePaths).toEqual([]);
  });

  it("is not found in rejections of several mistakes", () => {
    const entries = [
      named(name, {}, { status: 422, body: { code: 1 } }),
      named(name, { hasSeveralMistakes: true }, { status: 422, body: { code: 2 } }),
    ];
    const rejections = new Rejections(entries, (text) => text);
    expect(entries.map((entry) => rejections.contentOf(entry).body)).toEqual([{ code: 1 }, { code: 2 }]);
    expect([...rejections.examplePaths()]).toEqual([]);
  });

  it("is found in rejections with others of another shape between them", () => {
    expect(learn([{ a: "r-1" }, { b: 1 }, { a: "r-2" }]).examplePaths).toEqual(["/a"]);
  });

  it("is the first number of each name", () => {
    const entries = [10, 11, 20, 21].map((code) =>
      named(code < 20 ? "invalid_json" : "missing_body", {}, { status: 422, body: { code } }),
    );
    const rejections = new Rejections(entries, (text) => text);
    const codes = entries.map((entry) => Object(rejections.contentOf(entry).body).code);
    expect(codes).toEqual([10, 10, 20, 20]);
  });

  it("is as it is in rejections of another name", () => {
    const entries = [1, 2].map((code) =>
      named(`invalid_body.name.${code}`, {}, { status: 422, body: { code } }),
    );
    const rejections = new Rejections(entries, (text) => text);
    expect(entries.map((entry) => rejections.contentOf(entry).body)).toEqual([{ code: 1 }, { code: 2 }]);
  });
});

describe("a rejection is learned", () => {
  it("with the first number at its place, if it is no integer: it may be the time that the service took", () => {
    const { contents, examplePaths } = learn([{ took: 0.25 }, { took: 0.5 }]);
    expect(contents).toEqual([{ body: { took: 0.25 } }, { body: { took: 0.25 } }]);
    expect(examplePaths).toEqual(["/took"]);
  });

  it("as a text, if it is not JSON", () => {
    expect(learn(["No"]).contents).toEqual([{ text: "No" }]);
  });

  it("without the values of fields that may be secrets, but with the messages about fields of requests", () => {
    const body = { api_key: "k", pins: { password: 5 }, current_token: ["is wrong"] };
    expect(learn([body]).contents[0]?.body).toEqual({
      api_key: "example",
      pins: { password: 0 },
      current_token: ["is wrong"],
    });
  });

  it("with a placeholder in a field that may be a secret", () => {
    const sent = { method: "POST", body: { current_token: "token-of-the-group" } };
    const body: JsonObject = { session: "token-of-the-group", token: "of token-of-the-group" };
    expect(learn([body], { sent }).contents[0]?.body).toEqual({
      session: "{current_token}",
      token: "example",
    });
  });

  it("without a secret in braces, which is no placeholder", () => {
    const [content] = learn([{ password: "{hunter2}", session: "{name}" }]).contents;
    expect(content?.body).toEqual({ password: "example", session: "example" });
  });

  it("with clean texts and names of fields", () => {
    const { contents } = learn([{ "of x": "x" }], { clean: (text) => text.replaceAll("x", "*") });
    expect(contents[0]?.body).toEqual({ "of *": "*" });
  });

  it("with the first time of the run", () => {
    expect(values("at 2026-11-18T10:20:30Z", "at 2026-11-18T10:20:31Z")).toEqual(
      Array(2).fill("at 2026-11-18T10:20:30Z"),
    );
    expect(values(1_790_000_000, 1_790_000_001)).toEqual([1_790_000_000, 1_790_000_000]);
  });

  it("with a short word that it repeats, if other rejections repeat the field in full", () => {
    const entries = ["a long name", "Tom"].map((sentName) =>
      named(name, { body: { name: sentName } }, { status: 422, body: `${sentName} is taken` }),
    );
    const rejections = new Rejections(entries, (text) => text);
    expect(entries.map((entry) => rejections.contentOf(entry))).toEqual(
      Array(2).fill({ text: "{name} is taken" }),
    );
  });
});
