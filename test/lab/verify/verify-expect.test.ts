import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { startMock } from "../../../src/index.js";
import { facts } from "../../../src/lab/verify/facts.js";
import { runHere } from "../../cli/run-here.js";
import { isLong } from "../../long.js";
import { failingProxy, responding } from "./failing-proxy.js";
import { apiTokens, frameworkService, type Style } from "./framework-service.js";
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
  return { code, drift: JSON.parse(stdout).drift as { id: string; expected: string; found: string }[] };
}

const steady = Object.entries(styles).filter(([name]) => name !== "wobbly" && name !== "500 for bad input");

describe("verify --expect", () => {
  it.each(steady)("finds no change the next day: %s", async (name, style) => {
    expect((await driftBetween(name, style, style())).drift).toEqual([]);
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

  const changes: readonly (readonly [string, (style: Style) => Style, readonly string[]])[] = [
    ["the status of created", (style) => ({ ...style, created: 202 }), ["created"]],
    [
      "a field of user_group",
      (style) => ({ ...style, addToGroup: (group) => ({ ...style.addToGroup?.(group), color: "red" }) }),
      ["created", "found", "rotated"],
    ],
    [
      "the status of one rejection",
      (style) => ({
        ...style,
        reject: (wrong, request) => ({
          ...style.reject(wrong, request),
          ...(wrong.kind === "token" && wrong.why === "rotated" && { status: 451 }),
        }),
      }),
      ["unknown_token.rotated"],
    ],
    [
      "the content type of one rejection",
      (style) => ({
        ...style,
        reject: (wrong, request) =>
          wrong.kind === "json"
            ? { status: 400, body: "no", type: "text/csv" }
            : style.reject(wrong, request),
      }),
      ["invalid_json"],
    ],
    ["a value", (style) => ({ ...style, updates: !style.updates }), ["existing-group"]],
  ];
  const changed = steady
    .slice(0, 5)
    .flatMap(([name, style]) =>
      changes.map(([what, change, ids]) => [what, name, style, change, ids] as const),
    );

  it.each(changed.filter((_, n) => isLong || n % 6 === 0))(
    "finds exactly what has changed: %s of %s",
    async (_, name, style, change, ids) => {
      const { code, drift } = await driftBetween(name, style, change(style()));
      expect(drift.map(({ id }) => id)).toEqual(ids);
      expect(drift.filter(({ expected, found }) => expected === found)).toEqual([]);
      expect(code).toBe(1);
    },
  );

  it("prints each change, does not compare texts, and leaves out what was not observed", async () => {
    await using mock = await startMock({ assume: { "old-token": "accepted", "failure-body": "message" } });
    const responses = {
      "unknown_token.rotated": { status: 404 },
      missing_body: { status: 400, body: { success: 0, message: "another text" } },
      invalid_json: { status: 400 },
    };
    const file = textFile(
      JSON.stringify({ assume: { "old-token": "rejected", "group-scope": "global" }, responses }),
    );
    const flags = ["--api-token", "test-api-token", "--yes", "--expect", file];
    const { code, stdout } = await runHere(["verify", "--against", mock.url, ...flags]);
    const lines = stdout.slice(stdout.indexOf("\nCompared with ") + 1).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      `Compared with ${file}`,
      "  CHANGED  old-token  from rejected to accepted",
      "",
      "Changed: 1.",
    ]);
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
      n > 40 ? responding(503, "{}", "3600") : undefined,
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
      /--expect .*\.json has no assume and no responses\. Write it with/,
    ],
    [
      "--expect",
      "has an unknown id",
      textFile('{ "assume": { "old-tokn": 1 } }'),
      /did you mean old-token\?/,
    ],
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
