import { describe, expect, it } from "vitest";
import { asCurl, remarkOnCurl, usedUrl } from "../../src/inspector/copy-request.js";
import { entry } from "../report/entries.js";

const base = "http://127.0.0.1:4010/worlds/w3";
const headers = {
  host: "localhost:5000",
  authorization: "Token a",
  "user-agent": "x",
  "content-length": "2",
};
const sent = entry({ id: 1, request: { method: "GET", path: "/api/user", headers, body: {} } });

describe("usedUrl", () => {
  it("has the host that the client used, if it is usable", () => {
    expect(usedUrl(sent, base)).toBe("http://localhost:5000/worlds/w3");
    const odd = { ...sent.request, headers: { host: "a b" } };
    expect(usedUrl({ ...sent, request: odd }, base)).toBe(base);
  });
});

describe("asCurl", () => {
  it("quotes for a shell, and leaves out headers of the connection", () => {
    expect(asCurl(sent, `{"name":"it's"}`, base)).toBe(
      [
        "curl -X GET --globoff --path-as-is http://127.0.0.1:4010/worlds/w3/api/user",
        "-H 'authorization: Token a'",
        "-H 'content-type:'",
        `--data-raw '{"name":"it'\\''s"}'`,
      ].join(" \\\n  "),
    );
  });

  it("notes what is masked or missing", () => {
    const masked = { ...sent.request, headers: { ...headers, authorization: "Token ********1234" } };
    expect(remarkOnCurl({ ...sent, request: masked }, null)).toBe(
      " Note: authorization is masked; the mock did not read the body, so it is missing.",
    );
  });
});
