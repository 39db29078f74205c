import { afterAll, beforeAll, describe, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { type Client, headersOf, run, script, usesTheService } from "./clients/uses-the-service.js";

/** Clients that send the body of a GET, besides node:http, which most tests use. */
const clients: Readonly<Record<string, Client>> = {
  curl: {
    program: "curl",
    send: async ({ method, url, body, ...sent }) => {
      const headers = Object.entries(headersOf(sent)).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
      const args = ["--silent", "--show-error", "--request", method, url, ...headers, "--data", body];
      const printed = await run("curl", [...args, "--write-out", "\n%{http_code}"]);
      const [text = "", status] = printed.split("\n");
      return { status: Number(status), body: JSON.parse(text) };
    },
  },
  "Python's http.client": {
    program: "python3",
    send: (sent) => script("python3", [], "user_call_http_client.py", sent),
  },
  "Python's urllib": {
    program: "python3",
    send: (sent) => script("python3", [], "user_call_urllib.py", sent),
  },
};

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

// test/stacks/clients.test.ts has clients of the registry, and Java's.
describe("clients that send a body with a GET", () => {
  it.for(Object.entries(clients))("%s creates, gets and rotates", ([id, client], context) =>
    usesTheService(mock, id, client, context),
  );
});
