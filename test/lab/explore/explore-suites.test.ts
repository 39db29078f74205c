import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runHere } from "../../cli/run-here.js";
import { isLong } from "../../long.js";

// Suites whose results are known, and how many runs explore needs for them.

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-suites-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
const clients = `const { hasty, sturdy } = require(${fileOf("test/consumers/projects/customers.cjs")});`;

interface Explored {
  readonly faults: readonly { readonly call: string; readonly failure: string; readonly result: string }[];
  readonly causes: readonly { readonly text: string }[];
  readonly flaky: readonly { readonly name: string }[];
  readonly runs: number;
  readonly sum: Readonly<Record<string, number>>;
}

async function explore(file: string, source: string, ...flags: string[]): Promise<Explored> {
  const path = join(folder, file);
  writeFileSync(path, `${clients}${source}`);
  const all = ["explore", "--faults", "--json", "--logs", join(folder, "logs"), ...flags];
  const { stdout, stderr } = await runHere([...all, "--", process.execPath, path], { cwd: folder });
  expect(stdout, stderr).toMatch(/^\{/);
  return JSON.parse(stdout);
}

/** Six tests of a client without retries and timeouts, with 13 requests. */
const weakClient = `
  const { test } = require("node:test");
  const mock = require(${fileOf("dist/cjs/frameworks/node-test.js")}).useMock();
  const send = async (...request) => {
    const { status, json } = await hasty(mock.url, mock.apiToken, 60_000).call(...request);
    if (status !== 200) throw new Error("status " + status);
    return json.user_group.token;
  };
  const create = (id = "acme") => send("GET", { user_group_id: id, name: id });
  const rotate = (current_token) => send("POST", { current_token });
  test("creates a group", () => create());
  test("rotates twice", async () => rotate(await rotate(await create())));
  test("finds a group", async () => { await create(); await create(); });
  test("rotates once", async () => rotate(await create()));
  test("creates two groups", async () => { await create("a"); await create("b"); });
  test("looks up what it has rotated", async () => { await rotate(await create()); await create(); });`;

/** One of them is a todo, whose failure does not count. */
const withTodo = `${weakClient}
  test.todo("renames a group", async () => { await create(); throw new Error("not yet"); });`;

/** Tests of a runner that is not known, in one world: each resets it with its name as label. They send 7 requests. */
const labelled = (more = "") => `
  const { USERGROUP_MOCK_URL: url, USERGROUP_MOCK_API_TOKEN: token } = process.env;
  const { tokenOf, renewToken } = sturdy(url, token);
  const tests = {
    "creates a group": () => tokenOf("a"),
    "rotates a token": async () => renewToken("a", await tokenOf("a")),
    "creates two groups": async () => { await tokenOf("a"); await tokenOf("b"); },
    test_find: () => tokenOf("a"),
    test_other: () => tokenOf("c"),
    ${more}
  };
  const main = async () => {
    for (const [label, run] of Object.entries(tests)) {
      const headers = { "Content-Type": "application/json" };
      await fetch(url + "/__admin/reset", { method: "POST", headers, body: JSON.stringify({ label }) });
      await run();
    }
  };
  main().catch((error) => { console.error(error); process.exit(1); });`;

/** So many kinds of failures are tried of suites whose tests have at most two requests. */
const kinds = isLong ? 7 : 3;
const someKinds = isLong ? [] : ["--only", "unavailable,lost,cut"];

describe("explore --faults finds what is known of a suite, in few runs:", () => {
  it("six tests of a weak client with worlds of their own", async () => {
    const only = isLong ? [] : ["--only", "lost,silent"];
    const { faults, causes, runs, sum } = await explore(
      "weak.test.cjs",
      weakClient,
      "--silence",
      "1",
      ...only,
    );
    for (const { call, failure, result } of faults)
      expect(result, `${call}=${failure}`).toBe(failure === "silent" ? "hangs" : "breaks");
    const [total, hangs] = isLong ? [91, 13] : [26, 13];
    expect(sum).toMatchObject({ total, hangs, breaks: total - hangs, notTried: 0 });
    expect(causes.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["silent of get-or-create and rotate makes 6 tests hang"]),
    );
    // The first one, those of the longest test and its plain turn, one for each cause, and a hang alone.
    expect(runs).toBe(isLong ? 1 + 22 + 5 + 1 : 1 + 7 + 1 + 1);
  });

  it("no test that fails now and then, if only a todo fails", async () => {
    const { flaky, faults } = await explore("todo.test.cjs", withTodo, "--only", "lost");
    expect(flaky).toEqual([]);
    const ofTodo = faults.filter(({ call }) => call.startsWith("renames-a-group"));
    expect(ofTodo.map(({ result }) => result)).toEqual(["survives"]);
  });

  it("tests that share a world, and label its resets", async () => {
    const { runs, sum } = await explore("labelled.cjs", labelled(), ...someKinds);
    expect(sum).toMatchObject({ total: 7 * kinds, survives: 7 * kinds });
    expect(runs).toBe(1 + 2 * kinds);
  });

  it("tests that share a world, of which one breaks", async () => {
    const weak = `weak: async () => {
      const { status } = await hasty(url, token, 500).call("GET", { user_group_id: "w", name: "w" });
      if (status !== 200) process.exit(1);
    },`;
    const { faults, runs, sum } = await explore("breaking.cjs", labelled(weak), ...someKinds);
    const broken = faults.filter(({ result }) => result !== "survives");
    expect(broken.map(({ call, result }) => [call, result])).toEqual(
      Array(kinds).fill(["weak/get-or-create:w#1", "breaks"]),
    );
    expect(sum).toMatchObject({ total: 8 * kinds, survives: 7 * kinds, breaks: kinds });
    // The first round fails, so each of its six failures alone; then `weak` alone, and again what broke.
    expect(runs).toBe(1 + 2 * kinds + 6 + (kinds - 1) + kinds);
  });
});
