import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/learn/facts.js";
import { findDrift } from "../../../src/lab/verify/show/drift.js";
import { runHere } from "../../cli/run-here.js";
import { failingProxy, responding } from "./failing-proxy.js";
import { apiTokens, frameworkService, type Sent, type Style, type Wrong } from "./framework-service.js";
import { verifyWhole, type WholeReport } from "./known-service.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-expect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.setConfig({ testTimeout: 60_000 });

let files = 0;
function textFile(content: string): string {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, content);
  return file;
}
const [first, second] = apiTokens;
const verify = (url: string, ...more: string[]) =>
  runHere([
    "verify",
    "--against",
    url,
    "--api-token",
    first,
    "--second-api-token",
    second,
    "--yes",
    "--json",
    ...more,
  ]);

/** Changes the rejections of one kind. */
const rejecting =
  (isChanged: (wrong: Wrong) => boolean, change: (sent: Sent) => Sent) =>
  (style: Style): Style => ({
    ...style,
    reject: (wrong, request) => {
      const sent = style.reject(wrong, request);
      return isChanged(wrong) ? change(sent) : sent;
    },
  });

describe("verify --expect", () => {
  it("finds no change in a second run in one instance of a service with unique names", async () => {
    await using mock = await startMock({
      assume: { "unique-names": "rejected", "empty-strings": "accepted" },
      profile: {
        accepts: {
          "get-or-create": {
            properties: { user_group_id: { maxLength: 32 }, name: { type: ["string", "boolean"] } },
          },
        },
      },
    });
    const file = join(folder, `${++files}.json`);
    const flags = ["verify", "--against", mock.url, "--api-token", "test-api-token", "--yes"];
    expect((await runHere([...flags, "--out", file])).code).toBe(0);
    const { code, stdout } = await runHere([...flags, "--expect", file]);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`Nothing has changed since ${file} was written.`);
    expect(code).toBe(0);
  });

  const statuses: Readonly<Record<string, number>> = {
    unauthorized: 401,
    token: 404,
    not_found: 404,
    method: 405,
  };
  const headersFor: Readonly<Record<string, Record<string, string>>> = {
    unauthorized: { "WWW-Authenticate": "Token" },
    method: { Allow: "GET, HEAD, POST" },
  };
  /** Rejects a longer name. */
  const limitName =
    (maxLength: number) =>
    (style: Style): Style => ({
      ...style,
      before: ({ json }) =>
        String(json.name).length > maxLength
          ? { status: 400, body: { success: 0, reason: "field" } }
          : undefined,
    });
  const plain: Style = limitName(120)({
    created: 201,
    updates: true,
    reject: ({ kind, why }) => {
      const status = statuses[kind] ?? 400;
      if (why === "scheme") return { status: 403, body: "Forbidden", type: "text/plain" };
      if (kind === "json") return { status, body: "no JSON", type: "text/plain" };
      return { status, body: { success: 0, reason: kind }, headers: headersFor[kind] ?? {} };
    },
  });
  const changes: readonly (readonly [string, (style: Style) => Style, readonly string[]])[] = [
    // Once, although created-status has another value too.
    ["the status of created", (style) => ({ ...style, created: 200 }), ["created: status 201 → 200"]],
    [
      "an added field of user_group",
      (style) => ({ ...style, addToGroup: (group) => ({ ...style.addToGroup?.(group), color: "red" }) }),
      ["created, found, rotated: + user_group.color (string)"],
    ],
    [
      "the status of all responses to a wrong token",
      rejecting(
        ({ kind }) => kind === "token",
        (sent) => ({ ...sent, status: 451 }),
      ),
      ["unknown_token: status 404 → 451"],
    ],
    [
      "a text that becomes HTML",
      rejecting(
        ({ kind }) => kind === "json",
        () => ({ status: 400, body: "<h1>no</h1>" }),
      ),
      ["invalid_json: content type text/plain → text/html"],
    ],
    [
      "a header",
      rejecting(
        ({ kind, why }) => kind === "unauthorized" && why !== "scheme",
        (sent) => ({ ...sent, headers: { "WWW-Authenticate": "Bearer" } }),
      ),
      ["unauthorized.missing, unauthorized.unknown: WWW-Authenticate Token → Bearer"],
    ],
    [
      "the order of the methods in Allow, which means nothing",
      rejecting(
        ({ kind }) => kind === "method",
        (sent) => ({ ...sent, headers: { Allow: "POST,GET, HEAD" } }),
      ),
      [],
    ],
    [
      "a rule of acceptance",
      (style) => ({
        ...style,
        deviate: (correct, { method, json }) =>
          method === "GET" && "verify_field" in json
            ? { status: 400, body: { success: 0, reason: "field" } }
            : correct,
      }),
      ["accepts get-or-create: additionalProperties true → false"],
    ],
    ["a limit of a length", limitName(80), ["accepts name: maxLength 120 → 80"]],
    ["a value", (style) => ({ ...style, updates: !style.updates }), ["existing-group: updated → unchanged"]],
  ];

  let report: WholeReport;
  beforeAll(async () => {
    await using service = await frameworkService(plain);
    report = await verifyWhole({ baseUrl: service.url, apiToken: first, secondApiToken: second });
  });

  it("prints exactly what has changed, and ends with 1", async () => {
    const changed = changes.reduce((style, [, change]) => change(style), plain);
    await using later = await frameworkService(changed);
    const { code, stdout } = await verify(later.url, "--expect", textFile(JSON.stringify(report.profile)));
    const drift: { id: string; change: string }[] = JSON.parse(stdout).drift;
    const lines = drift.map(({ id, change }) => `${id}: ${change}`);
    expect(lines.sort()).toEqual(changes.flatMap(([, , expected]) => expected).sort());
    expect(code).toBe(1);
  });

  it("finds no change in names that the profile does not have, if their content types differ", async () => {
    const names = report.entries.flatMap(({ name, response }) => `${name} ${response.type}`);
    expect(names).toContain("unauthorized.missing application/json");
    expect(names.filter((name) => /^unauthorized\S* text\/plain$/.test(name))).not.toEqual([]);
    const { verified } = report.profile;
    expect(await findDrift({ verified, responses: { not_found: { status: 404 } } }, report, report)).toEqual(
      [],
    );
  });

  it("names added fields without control characters, also those that every object inherits", async () => {
    const file = textFile('{ "responses": { "not_found": { "status": 400, "body": { "success": 0 } } } }');
    await using later = await frameworkService({
      reject: () => ({ status: 400, body: { success: 0, constructor: 1, "\u001b[2J": 1 } }),
    });
    const { stdout } = await verify(later.url, "--expect", file);
    const drift: { id: string; change: string }[] = JSON.parse(stdout).drift;
    expect(drift.map(({ change }) => change)).toEqual(["+ constructor (number)", "+ \\u001b[2J (number)"]);
  });

  it("takes a rule of accepts before the assumption about it, if the file has one", async () => {
    await using mock = await startMock({
      assume: { "unknown-fields": "rejected", "numeric-ids": "coerced" },
    });
    const file = textFile('{ "assume": { "unknown-fields": "ignored", "numeric-ids": "rejected" } }');
    const flags = ["verify", "--against", mock.url, "--api-token", "test-api-token", "--yes", "--json"];
    const driftOf = async () => JSON.parse((await runHere([...flags, "--expect", file])).stdout).drift;
    expect(await driftOf()).toEqual([
      { id: "unknown-fields", change: "ignored → rejected" },
      { id: "numeric-ids", change: "rejected → coerced" },
    ]);
    await runHere([...flags, "--out", file]);
    expect(await driftOf()).toEqual([]);
  });

  it("counts its files, and not the words in their names", async () => {
    await using mock = await startMock();
    const file = join(folder, "one and two.json");
    writeFileSync(file, '{ "assume": { "old-token": "rejected" } }');
    const flags = ["--api-token", "test-api-token", "--yes", "--expect", file];
    const { stdout } = await runHere(["verify", "--against", mock.url, ...flags]);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(`Nothing has changed since ${file} was written.`);
  });

  it("compares with several files, and leaves out what was not observed", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted", "failure-body": "message" } });
    const first = textFile('{ "assume": { "old-token": "accepted", "rotated-token": "new" } }');
    const second = textFile('{ "assume": { "old-token": "rejected", "group-scope": "global" } }');
    const flags = ["--api-token", "test-api-token", "--yes", "--expect", first, "--expect", second];
    const { code, stdout } = await runHere(["verify", "--against", mock.url, ...flags]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.slice(-2)).toEqual([
      `Changed since ${first} and ${second} were written:`,
      "  old-token: rejected → accepted",
    ]);
    expect(stdout).not.toContain("The mock accepts");
    expect(code).toBe(1);
  });
});

describe("an outage during verify", () => {
  it("ends with 2, is no change, and keeps what the file has", async () => {
    await using mock = await startMock();
    const file = textFile(
      '{ "assume": { "videos-path": "rotates" }, "responses": { "unsupported_media_type": { "status": 418 } } }',
    );
    await using proxy = await failingProxy(mock.url, (n) =>
      n > 8 ? responding(503, "{}", "3600") : undefined,
    );
    const flags = ["--api-token", "test-api-token", "--yes", "--json", "--expect", file, "--out", file];
    const { code, stdout } = await runHere(["verify", "--against", proxy.url, ...flags]);
    const { facts, drift } = JSON.parse(stdout);
    expect(facts).toContainEqual(expect.objectContaining({ verdict: "not determinable", unanswered: true }));
    expect([code, drift]).toEqual([2, []]);
    const { assume, responses } = JSON.parse(readFileSync(file, "utf8"));
    expect([assume["videos-path"], responses.unsupported_media_type]).toEqual(["rotates", { status: 418 }]);
  });
});

it("verify --expect ends with 0 if a fact is broken, and was broken before", async () => {
  await using service = await frameworkService({
    reject: () => ({ status: 400, body: { success: false } }),
  });
  const file = textFile('{ "verified": { "broken": ["failure"] }, "assume": { "old-token": "rejected" } }');
  const { code, stdout } = await verify(service.url, "--expect", file);
  const { facts: found, drift } = JSON.parse(stdout);
  expect(found.filter(({ verdict }: { verdict: string }) => verdict === "broken")).toHaveLength(1);
  expect([code, drift]).toEqual([0, []]);
});

it("verify ends with 2 if one fact gets no response", async () => {
  const busy = { status: 503, body: "", headers: { "Retry-After": "3600" } };
  await using service = await frameworkService({
    reject: () => ({ status: 400, body: { success: 0 } }),
    before: ({ headers }) => (headers.authorization === undefined ? busy : undefined),
  });
  const { code, stdout } = await verify(service.url);
  const { facts: found, assumptions } = JSON.parse(stdout);
  const open = [...found, ...assumptions].filter(({ unanswered }) => unanswered);
  expect(open.map(({ fact }) => fact)).toEqual([facts.authorization]);
  expect(code).toBe(2);
});

describe("a file of verify", () => {
  it.each([
    ["--expect", "is missing", join(folder, "nowhere.json"), /nowhere\.json.*there is no such file/s],
    ["--expect", "is not JSON", textFile("{ s3cret"), /line 1, column 3/],
    [
      "--expect",
      "has nothing to compare",
      textFile("{}"),
      /--expect .*\.json has no accepts, assume or responses\. Write it with/,
    ],
    [
      "--expect",
      "has an unknown id",
      textFile('{ "assume": { "old-tokn": 1 } }'),
      /did you mean old-token\?/,
    ],
    ["--out", "is a directory", folder, /--out \S+ is not a regular file/],
    ["--out", "is a device", devNull, /--out \S+ is not a regular file/],
    ["--out", "has an unknown key", textFile('{ "port": 1 }'), /port/],
    ["--sample", "is not a body", textFile('{ "name": 5 }'), /Invalid --sample.*user_group_id: is required/s],
  ])("is rejected before a request is sent: %s %s", async (flag, _, file, words) => {
    await using mock = await startMock();
    const { code, stdout, stderr } = await verify(mock.url, flag, file);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/^ {4}at |s3cret/m);
    expect([code, stdout]).toEqual([2, ""]);
    expect(await mock.requests()).toEqual([]);
  });
});
