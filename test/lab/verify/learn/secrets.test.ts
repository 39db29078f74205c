import { describe, expect, it } from "vitest";
import { Secrets } from "../../../../src/lab/verify/learn/secrets.js";
import { verifyService } from "../../../../src/lab/verify/verify-service.js";
import { fastPatience, targetAt } from "../asking.js";
import { fakeService } from "../fake-service.js";

const apiToken = 'tok/en+of&one"team';
const secrets = new Secrets([apiToken], { "X-Gateway": "gateway-key", Accept: "application/json" });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const html = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("/", "&#x2F;").replaceAll("'", "&#x27;");

/** Texts with a secret in them, of an API token. */
const secretsOf = (apiToken: string): readonly (readonly [string, string])[] => [
  ["the API token", apiToken],
  ["its first 12 characters", apiToken.slice(0, 12)],
  ["in capitals", apiToken.toUpperCase()],
  ["as JSON", JSON.stringify(apiToken)],
  ["with \\/", apiToken.replaceAll("/", "\\/")],
  ["with \\u002B", apiToken.replaceAll("+", "\\u002B")],
  ["percent-encoded", encodeURIComponent(apiToken)],
  ["as HTML", html(apiToken)],
  ["in base64", base64(apiToken)],
  ["in base64, after a user", base64(`me:${apiToken}`)],
  ["in base64, after a longer user", base64(`user:${apiToken}`)],
  ["in hexadecimal digits", Buffer.from(apiToken).toString("hex")],
  ["the value of --header", "gateway-key"],
  ["password='…'", "the password='abc'"],
  ["password=&#x27;…", "the password=&#x27;abc&#x27;"],
  ["{ password: '…' }", "{ password: 'abc' }"],
  ["DB_PASSWORD: …", "DB_PASSWORD: abc"],
  ["X-Api-Key: …", "X-Api-Key: abc"],
  ["JSON in a text", '{"session":"abc"}'],
  ["a Ruby hash", '{"pwd"=>"abc"}'],
  ["a URL with a password", "postgres://user:abc@db/groups"],
  ["Bearer", "Bearer abc.def0123"],
  ["a long word with digits", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"],
  ["a JSON Web Token", "eyJhbGciOiJub25lIn0.e30."],
];

describe("a text in which a secret was found becomes an example as a whole", () => {
  it.each(secretsOf(apiToken))("%s", (_, text) => {
    expect(secrets.hide(`before ${text} after`)).toBe("example");
    expect(secrets.show(`before ${text} after`)).toBe("[secret]");
    expect(secrets.hide({ list: [`before ${text} after`] })).toEqual({ list: ["example"] });
  });

  it.each([
    "jwt",
    "session",
    "pwd",
    "passwd",
    "passphrase",
    "auth",
    "bearer",
    "cookie",
    "signature",
    "credentials",
    "dsn",
  ])("every value below the field %s", (name) => {
    const value = { [name]: ["abc", { of: "def", n: 7 }], other: "kept" };
    expect(secrets.hide(value)).toEqual({ [name]: ["example", { of: "example", n: 0 }], other: "kept" });
  });
});

it.each([
  "name must be a text of at most 120 characters",
  "The current_token belongs to no group of this team.",
  "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.1",
  "Cannot {method} {path}",
  '{"errors": {"current_token": ["is required"]}}',
  "application/json",
  'Bearer realm="api"',
])("an ordinary text stays: %s", (text) => {
  expect(secrets.hide(text)).toBe(text);
});

it("fields of requests are no secrets as keys of messages", () => {
  const body = { errors: { current_token: ["is required"] } };
  expect(secrets.hide(body)).toEqual(body);
});

it("control and bidirectional characters are escaped where a text is shown", () => {
  expect(secrets.show("a\u009bb\u202ec\u2028d")).toBe("a\\u009bb\\u202ec\\u2028d");
});

it("a search takes linear time", () => {
  const began = performance.now();
  for (const text of ["a-a-".repeat(25_000), "1".repeat(100_000), "a=".repeat(50_000), "&#x".repeat(33_000)])
    secrets.hide(text);
  expect(performance.now() - began).toBeLessThan(2_000);
});

it("no profile has a secret that a service echoes", async () => {
  const token = "test-api-token";
  const leaks = secretsOf(token)
    .map(([, text]) => text)
    .filter((text) => text !== "gateway-key");
  await using service = await fakeService({
    after: (response) => {
      const isRejected = Object(response.body).success !== 1;
      const headers = { "X-Debug": `seen ${base64(token)}`, "X-Auth-Token": "abc" };
      return isRejected
        ? { ...response, headers, body: { ...Object(response.body), leaks, jwt: "abc" } }
        : response;
    },
  });
  const { learned } = await verifyService(targetAt(service.url), { patience: fastPatience });
  const text = JSON.stringify(learned.situations);
  expect(text).toContain('"leaks":["example"');
  for (const leak of ["abc", "test-api-tok", base64(token), "4eC39"]) expect(text).not.toContain(leak);
});
