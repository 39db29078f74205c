import { describe, expect, it } from "vitest";
import { steadyError } from "../../../src/lab/explore/turns.js";
import type { TestResult } from "../../../src/run/report-test.js";

describe("the error of a test, by which explore knows the same cause again", () => {
  const errorWith = (message: string) => {
    const failure = { title: "t", error: { message } };
    const test = { id: "t", framework: "vitest", file: "a.test.ts", titles: ["t"], world: "t" } as const;
    return steadyError({ ...test, result: "failed", failure } as TestResult);
  };

  it("is one line without colours, ports, tokens and hashes, but with statuses", () => {
    const url = (port: number) => `http://127.0.0.1:${port}/worlds/t`;
    const message = (port: number, token: string) =>
      `\u001b[31mexpected\u001b[39m 503\n  to be 200 at ${url(port)} with ${token.repeat(64)}`;
    expect(errorWith(message(4010, "a"))).toBe(
      "expected 503 to be 200 at http://127.0.0.1:…/worlds/t with …",
    );
    expect(errorWith(message(34567, "b"))).toBe(errorWith(message(4010, "a")));
  });

  it("has at most 200 characters", () => {
    expect(errorWith("x y ".repeat(100))).toHaveLength(200);
  });

  it("is none if the test has no message", () => {
    expect(errorWith("")).toBeUndefined();
  });
});
