import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/facts.js";
import { runHere } from "../../cli/run-here.js";
import { failingProxy, responding } from "./failing-proxy.js";
import { apiTokens, frameworkService, type Sent, type Style, type Wrong } from "./framework-service.js";
import { styles } from "./framework-styles.js";

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

const profiles = new Map<string, Promise<string>>();
/** The file with the profile of a service. */
async function writeProfile(style: Style): Promise<string> {
  const file = join(folder, `${++files}.json`);
  await using service = await frameworkService(style);
  await verify(service.url, "--out", file);
  return file;
}

/** What has changed between a service and another one. */
async function driftBetween(name: string, before: () => Style, after: Style) {
  const file = profiles.get(name) ?? writeProfile(before());
  profiles.set(name, file);
  await using later = await frameworkService(after);
  const { code, stdout } = await verify(later.url, "--expect", await file);
  const drift: { id: string; change: string }[] = JSON.parse(stdout).drift;
  return { code, lines: drift.map(({ id, change }) => `${id}: ${change}`) };
}

const steady = Object.entries(styles).filter(([name]) => name !== "wobbly" && name !== "500 for bad input");

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
  it.each(steady)("finds no change the next day, and ends with 0: %s", async (name, style) => {
    expect(await driftBetween(name, style, style())).toEqual({ code: 0, lines: [] });
  });

  it("finds no change twice in a row in one instance of a service with unique names", async () => {
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
    for (const _ of [1, 2]) {
      const { code, stdout } = await runHere([...flags, "--expect", file]);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe(`Nothing has changed since ${file} was written.`);
      expect(code).toBe(0);
    }
  });

  it("finds no change in names that the profile does not have, if their content types differ", async () => {
    await using service = await frameworkService({
      reject: ({ kind, why }) =>
        kind === "unauthorized" && why !== "missing"
          ? { status: 403, body: "Forbidden", type: "text/plain" }
          : { status: 400, body: { success: 0 } },
    });
    const file = textFile('{ "responses": { "not_found": { "status": 400 } } }');
    expect(JSON.parse((await verify(service.url, "--expect", file)).stdout).drift).toEqual([]);
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
  const plain: Style = {
    created: 201,
    updates: true,
    reject: ({ kind }) => {
      const status = statuses[kind] ?? 400;
      if (kind === "json") return { status, body: "no JSON", type: "text/plain" };
      return { status, body: { success: 0, reason: kind }, headers: headersFor[kind] ?? {} };
    },
  };
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
        ({ kind }) => kind === "unauthorized",
        (sent) => ({ ...sent, headers: { "WWW-Authenticate": "Bearer" } }),
      ),
      ["unauthorized: WWW-Authenticate Token → Bearer"],
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
    ["a value", (style) => ({ ...style, updates: !style.updates }), ["existing-group: updated → unchanged"]],
  ];

  it.each(changes)("prints exactly what has changed: %s", async (_, change, expected) => {
    const { code, lines } = await driftBetween("plain", () => plain, change(plain));
    expect(lines).toEqual(expected);
    expect(code).toBe(expected.length === 0 ? 0 : 1);
  });

  it("is about a limit of a length", async () => {
    const limited = (maxLength: number) => ({
      profile: { accepts: { "get-or-create": { properties: { name: { maxLength } } } } },
    });
    const file = join(folder, `${++files}.json`);
    const flags = ["--api-token", "test-api-token", "--yes"];
    await using before = await startMock(limited(120));
    await runHere(["verify", "--against", before.url, ...flags, "--out", file]);
    expect(JSON.parse(readFileSync(file, "utf8")).accepts["get-or-create"].properties.name.maxLength).toBe(
      120,
    );
    await using after = await startMock(limited(80));
    const { stdout } = await runHere(["verify", "--against", after.url, ...flags, "--expect", file]);
    expect(stdout).toMatch(/\n {2}accepts name: maxLength 120 → 80\n$/);
  });

  it("does not change because of a fact that was broken before", async () => {
    const wrong: Style = { reject: () => ({ status: 400, body: { success: false } }) };
    const right: Style = { reject: () => ({ status: 400, body: { success: 0 } }) };
    const { code, lines } = await driftBetween("broken", () => wrong, wrong);
    expect([code, lines]).toEqual([0, []]);
    expect((await driftBetween("broken", () => wrong, right)).lines).toContain("failure: broken → holds");
  });

  it("names added fields without control characters, also those that every object inherits", async () => {
    const before: Style = { reject: () => ({ status: 400, body: { success: 0 } }) };
    const after: Style = {
      reject: () => ({ status: 400, body: { success: 0, constructor: 1, "\u001b[2J": 1 } }),
    };
    const { lines } = await driftBetween("plain", () => before, after);
    const added = lines.filter((line) => line.includes(": + "));
    expect(added.map((line) => line.replace(/.*: /, ""))).toEqual([
      "+ constructor (number)",
      "+ \\u001b[2J (number)",
    ]);
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

describe("one fact without a response", () => {
  it.each([[], ["--expect", textFile('{ "assume": { "old-token": "rejected" } }')]])(
    "ends verify with 2 %s",
    async (...flags) => {
      const busy = { status: 503, body: "", headers: { "Retry-After": "3600" } };
      await using service = await frameworkService({
        reject: () => ({ status: 400, body: { success: 0 } }),
        before: ({ headers }) => (headers.authorization === undefined ? busy : undefined),
      });
      const { code, stdout } = await verify(service.url, ...flags);
      const { facts: found, assumptions } = JSON.parse(stdout);
      const open = [...found, ...assumptions].filter(({ unanswered }) => unanswered);
      expect(open.map(({ fact }) => fact)).toEqual([facts.authorization]);
      expect(code).toBe(2);
    },
  );
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
