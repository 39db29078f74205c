import fc from "fast-check";
import { type AdminCallId, adminCall, adminCallIds } from "../../src/contract/admin-calls.js";
import { assumptionIds, valuesOf } from "../../src/contract/assumptions.js";
import { operationIds, operations, servicePath } from "../../src/contract/operations.js";
import { type SchemaFile, shippedSchemas } from "../../src/generated/shipped-schemas.js";
import { seededToken } from "../seeded.js";
import { arrayOf, bent, type JsonText, jsonFor, textOf } from "./json-arbitrary.js";
import { type BodyParts, encodings, framings, type RequestParts } from "./steps.js";

/** The worlds of a case. The bystander uses another one. */
export const worldNames = ["default", "w1", "w2"] as const;

const groupIds = ["a", "b", "example_1", "__proto__", "é"];
/** Most requests are about one group, so that they affect each other. */
const groupId = fc.constantFrom("a", "a", "a", ...groupIds);
const ids = groupId.map((id) => JSON.stringify(id));
const tokens = fc.oneof(
  { weight: 6, arbitrary: groupId.map((id) => `"@token:${id}@"`) },
  { weight: 1, arbitrary: textOf(seededToken, "unheard-of") },
);
const matches = fc.oneof(
  ids.map((id) => `{"user_group_id":${id}}`),
  textOf({ name: "A name" }, {}, { properties: { region: "EU" } }, { unused: "value" }),
);
/** Short or invalid delays, so that a case does not take long. */
const milliseconds = fc.oneof(fc.integer({ min: 1, max: 40 }).map(String), textOf(0, 600_001));

/** Values that are more useful than those from the schema, by field. */
const known: Readonly<Record<string, JsonText>> = {
  user_group_id: ids,
  provided_id: ids,
  current_token: tokens,
  token: textOf("t1", "t2", "t3"),
  team_id: textOf(3, 3, 4, 5),
  api_tokens: arrayOf(textOf("test-api-token", "other-api-token", "fifth")),
  delayMs: milliseconds,
  timeoutMs: milliseconds,
  match: matches,
};

const bodyOf = (schema: SchemaFile): JsonText => jsonFor(shippedSchemas[schema], known);

/** Rules of exactly one kind. Nearly all rules from the schema alone would be invalid. */
const faults: JsonText = fc
  .tuple(
    fc.constantFrom('"operation":"rotate"', '"operation":"get-or-create"', '"phase":"after"', '"skip":1'),
    fc.constantFrom('"times":"always"', '"times":2', '"times":1'),
    fc.constantFrom(
      ...['"status":503', '"status":429,"body":{"slow":"down"}', '"delayMs":30', '"hold":true'],
      ...['"reset":true', '"empty":true', '"truncate":true', '"malformed":true'],
    ),
    matches,
  )
  .map(([which, times, kind, match]) => `{${which},${times},${kind},"match":${match}}`);

const states: JsonText = fc.uniqueArray(fc.constantFrom(...groupIds), { maxLength: 3 }).map((provided) =>
  JSON.stringify({
    teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
    user_groups: provided.map((id, n) => ({ team_id: 3, provided_id: id, name: id, token: `t${n}` })),
  }),
);

const choices: JsonText = fc
  .constantFrom(...assumptionIds)
  .chain((id) => textOf(...valuesOf(id)).map((value) => `{"${id}":${value}}`));

/** Valid bodies, for calls whose schema rarely generates one. */
const fine: Partial<Record<AdminCallId, JsonText>> = {
  armFault: faults,
  importState: states,
  assume: choices,
};

/** Bodies that are cheap to send and expensive to read. */
const bombs: fc.Arbitrary<BodyParts> = fc
  .tuple(
    fc.constantFrom(
      { before: "", unit: "[", after: "" },
      { before: "[", unit: "{},", after: "{}]" },
      { before: '{"user_groups":[', unit: "[],", after: "[]]}" },
      { before: '{"teams":[],"user_groups":[', unit: "{},", after: "{}]}" },
      { before: '"', unit: "x", after: '"' },
      { before: '{"user_group_id":"', unit: "é", after: '","name":"A"}' },
      { before: '{"', unit: "k", after: '":1}' },
      { before: "", unit: " ", after: "1" },
      { before: '{"match":{"a":', unit: "9", after: "}}" },
    ),
    fc.constantFrom(10_000, 99_000, 500_000, 2_000_000, 5_000_000),
  )
  .map(([repeated, times]) => ({ ...repeated, times }));

function bodies(right: JsonText): fc.Arbitrary<BodyParts> {
  const charset = fc.constantFrom("latin1", "utf16le" as const);
  return fc.oneof(
    { weight: 60, arbitrary: bent(right).map((text) => ({ text })) },
    { weight: 1, arbitrary: fc.tuple(right, charset).map(([text, charset]) => ({ text, charset })) },
    { weight: 1, arbitrary: bombs },
  );
}

const rightFramings = fc.constantFrom(...framings.right);
const anyFraming = fc.constantFrom(...framings.right, ...framings.wrong);
const seldom = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>, weight = 15): fc.Arbitrary<T> =>
  // Shrinks an unusual value to a usual one.
  fc.oneof({ withCrossShrink: true }, { weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });

const oddHeaders = fc
  .constantFrom(
    ...["Expect: 100-continue", "Expect: banana", "Upgrade: websocket", "Upgrade: h2c", "Range: bytes=0-1"],
    ...[
      "Origin: https://evil.test",
      "Host: evil.test",
      "Sec-Fetch-Site: cross-site",
      "Sec-Purpose: prefetch",
    ],
    ...["User-Agent: Mozilla/5.0", "Content-Type: text/plain", "Authorization: Token other-api-token"],
    ...["Accept-Encoding: gzip", "If-None-Match: *", "Last-Event-ID: 0-0", "__proto__: polluted"],
    ...[`X-Long: ${"x".repeat(9_000)}`, `X-Long: ${"x".repeat(20_000)}`, "X-Odd: gr\u00fc\u00dfe"],
  )
  .map((line) => line.split(": ") as [name: string, value: string]);

interface Plain {
  readonly method: string;
  readonly target: string;
  readonly hasBody: boolean;
  readonly body: fc.Arbitrary<BodyParts>;
}

const methods = fc.constantFrom(
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY", "FROB", "get"],
);
const oddTargets = fc.constantFrom(
  ...["/", "*", "/api/user/", "/api/user?x=1", "/api/user#x", "//api/user", "/api%2fuser", "/%zz", "/videos"],
  ...["/__admin", "/__admin/nowhere", "/__admin/%zz", "/__admin/requests/%00", "http://localhost/api/user"],
  ...["http://evil.test/__admin/reset", "/worlds/w1/api/user", "/worlds/%2e%2e/api/user", "/favicon.ico"],
);

function request({ method, target, hasBody, body }: Plain): fc.Arbitrary<RequestParts> {
  return fc.record({
    method: seldom(fc.constant(method), methods, 30),
    target: seldom(fc.constant(target), oddTargets, 30),
    version: seldom(fc.constant("HTTP/1.1"), fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/1.2"), 60),
    headers: seldom<[string, string][]>(
      fc.constant([]),
      fc.array(oddHeaders, { minLength: 1, maxLength: 2 }),
      8,
    ),
    framing: seldom(hasBody ? rightFramings : fc.constant("length" as const), anyFraming),
    encoding: seldom(fc.constant("identity" as const), fc.constantFrom(...encodings), 6),
    body,
  });
}

export const serviceRequests: fc.Arbitrary<RequestParts> = fc.constantFrom(...operationIds).chain((id) => {
  const { method, request: schema } = operations[id];
  return request({ method, target: servicePath, hasBody: true, body: bodies(bodyOf(schema)) });
});

const oddIds = ["0", "-1", "9".repeat(30), "%20", "__proto__"];
const pathIds = fc.constantFrom(...["1", "1", "1", "1", "1", "2", "3"], ...oddIds);
const pathNames = fc.constantFrom<string>(...worldNames, "unused", "%2e%2e", "x".repeat(65));

function queries(schema: SchemaFile): fc.Arbitrary<string> {
  const { properties } = shippedSchemas[schema] as { properties?: Readonly<Record<string, object>> };
  const pairs = Object.entries(properties ?? {}).map(([name, property]) =>
    jsonFor({ ...property }, known).map(
      (text) => `${name}=${escape(text.replaceAll('"', "").slice(0, 100))}`,
    ),
  );
  return fc.array(fc.oneof(...pairs), { maxLength: 2 }).map((found) => `?${found.join("&")}`);
}

/** An event stream has no end: `play-overtake.ts` opens one. */
const endingCalls = adminCallIds.filter((id) => id !== "streamEvents");

export const adminRequests: fc.Arbitrary<RequestParts> = fc.constantFrom(...endingCalls).chain((id) => {
  const { method, path, query, request: schema } = adminCall(id);
  const right = schema === undefined ? fc.constant("") : bodyOf(schema);
  const target = fc
    .tuple(pathIds, pathNames, query === undefined ? fc.constant("") : queries(query))
    .map(([number, name, text]) => `${path.replace("{id}", number).replace("{name}", name)}${text}`);
  const body = bodies(fine[id] === undefined ? right : fc.oneof(fine[id], right));
  return target.chain((found) =>
    request({ method, target: `/__admin${found}`, hasBody: schema !== undefined, body }),
  );
});
