import { describe, expect, it } from "vitest";
import { describeNoRequest } from "../../src/report/no-request.js";

describe("a report without a request", () => {
  it("names the URL of its test", () => {
    expect(describeNoRequest("http://127.0.0.1:4010", undefined)).toMatch(
      /^No request of this test reached the mock at http:\/\/127\.0\.0\.1:4010\. Does your program use this URL, and /,
    );
  });

  it("names no test and no URL if it is about a command", () => {
    expect(describeNoRequest(undefined, undefined)).toMatch(
      /^No request reached the mock\. Does your program use its URL, and was the request awaited\?/,
    );
  });
});
