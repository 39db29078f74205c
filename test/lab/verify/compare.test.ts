import { expect, it } from "vitest";
import { compareResponses } from "../../../src/lab/verify/compare.js";
import { readResponse } from "../../../src/lab/verify/recorded.js";
import { Secrets } from "../../../src/lab/verify/secrets.js";

const headers = { "content-type": "application/json" };

const parts = { secrets: new Secrets([]), clean: (text: string) => text, examplePaths: new Set<string>() };

it("no profile can express a redirect", () => {
  const request = { method: "GET", path: "/api/user/", headers: {}, text: "{}" };
  const response = readResponse({ status: 307, headers, text: "" });
  const mocked = readResponse({ status: 404, headers, text: '{"success":0}' });
  const { different } = compareResponses([{ probe: "trailing-slash", request, response, mocked }], parts);
  expect(different).toMatchObject([{ inexpressible: "The mock does not redirect." }]);
});

it("a request whose token the mock has never issued does not count as same", () => {
  const request = { method: "POST", path: "/api/user", headers: {}, text: '{"current_token":"t"}' };
  const response = readResponse({ status: 404, headers, text: '{"success":0}' });
  const played = [{ probe: "old-token", request, response, mocked: undefined }];
  expect(compareResponses(played, parts)).toMatchObject({
    same: 0,
    exact: 0,
    of: 1,
    different: [{ mock: "has not issued this token", mockIs: "different" }],
  });
});
