import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { getOrCreate } from "../call.js";
import { certificate } from "../certificate.js";
import { plain } from "./frameworks.js";
import { type PackageInUse, repository, usePackage } from "./package-in-use.js";
import {
  blockOf,
  blocksOfPage,
  elsewhere,
  executedPages,
  pageExamples,
  readmeExamples,
  shellOf,
} from "./page-blocks.js";
import { run, start } from "./processes.js";

let inUse: PackageInUse;
let project: string;
let pages: string;
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.link("documents", ["vitest"]);
  pages = join(project, "pages");
  // A repository, as that of a user: the name of a report does not depend on the folders above it.
  for (const folder of [".git", "pages"]) await mkdir(join(project, folder));
  await writeFile(join(project, "profile.json"), blockOf("json", "profile").text);
  await writeFile(join(project, "groups.json"), blockOf("json", "groups").text);
  for (const { file, text } of pageExamples) await writeFile(join(pages, file), text);
  for (const { file, text } of readmeExamples) await writeFile(join(project, file), text);
});
afterAll(() => inUse?.remove());

const testsOfPages = pageExamples
  .map(({ file }) => `pages/${file}`)
  .filter((path) => path.endsWith(".test.ts"));
const vitest = join(repository, "node_modules/vitest/vitest.mjs");
const node = (...args: string[]) => run(process.execPath, args, { cwd: project, env: plain });
const json = (kind: string) => JSON.parse(blockOf("json", kind).text);

// test/stacks/documents.test.ts executes the commands.
describe("the README and docs/", () => {
  it("have only blocks that a test executes", () => {
    const kinds = executedPages.flatMap((page) =>
      blocksOfPage(page).map(({ language, kind }) => `${language} ${kind}`.trim()),
    );
    const json = ["groups", "response", "fixture", "profile", "own"].map((kind) => `json ${kind}`);
    // The text without a kind is the configuration of a balancer: test/stacks/balancer.test.ts.
    const text = ["text", ...["failed", "explore", "faults", "sum", "change"].map((kind) => `text ${kind}`)];
    expect(new Set(kinds)).toEqual(new Set(["sh", "ts", "js", ...json, ...text]));
    const commands = executedPages.map((page) => [page, shellOf(page).length]);
    expect(Object.fromEntries(commands.filter(([, count]) => count !== 0))).toEqual({
      ...{ "README.md": 6, "explore.md": 2, "journal-and-inspector.md": 1, "options.md": 4 },
      ...{ "performance.md": 2, "profile.md": 1, "troubleshooting.md": 1, "verify.md": 2 },
    });
    const names = pageExamples.map(({ file }) => file);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !name.endsWith(".test.ts"))).toEqual(["my-program.js"]);
  });

  // A block that is added needs a test that executes it: it is found by its heading, its place or its file.
  it("have elsewhere as many blocks as other tests execute", () => {
    const count = (page: string) => {
      const counts: Record<string, number> = {};
      for (const { language } of blocksOfPage(page)) counts[language] = (counts[language] ?? 0) + 1;
      return counts;
    };
    expect(Object.fromEntries(elsewhere.map((page) => [page, count(page)]))).toEqual({
      "test-frameworks.md": { js: 8, sh: 10 },
      "one-base-url.md": { json: 1, js: 11, sh: 5 },
      "ci-and-other-languages.md": { sh: 6, yaml: 3, bash: 1, python: 3, java: 2, ruby: 1 },
    });
  });

  it("show tests that pass in vitest, and the output of a failed one", async () => {
    const file = join(project, "groups.test.js");
    const text = await readFile(file, "utf8");
    await writeFile(join(project, "as-shown.test.js"), text);
    await writeFile(file, text.replace("token: second", "token"));
    await using running = start(process.execPath, [vitest, "run", "--no-isolate"], {
      cwd: project,
      env: plain,
    });
    expect(await running.ended()).toBe(1);
    expect(running.output()).toContain(blockOf("text", "failed").text.trimEnd());
    expect(running.output()).toMatch(
      new RegExp(`Test Files +1 failed \\| ${1 + testsOfPages.length} passed.*\n +Tests +1 failed \\|`),
    );
  });

  it("show tests that compile under strict TypeScript", async () => {
    const strict = ["--strict", "--noEmit", "--allowJs", "--skipLibCheck", "--module", "nodenext"];
    const lib = ["--target", "es2023", "--lib", "es2023,dom,esnext.disposable"];
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    await node(tsc, ...strict, ...lib, ...types, ...testsOfPages);
  });

  it("show a first test in the README that passes in node:test", async () => {
    expect(await node("--test", "test-rotate.mjs")).toMatch(/pass 1\b/);
  });

  it("show in the README what the schema rejects, and how many groups there are without a fixture", async () => {
    const text = await readFile(join(repository, "README.md"), "utf8");
    const [, rejected = ""] = /`(\{"success":0.*?)`/.exec(text) ?? [];
    await using mock = await startMock({ fixtures: json("groups") });
    const wrong = { user_group_id: "customer-7", mapping: { "40": 213 } };
    expect(await getOrCreate(mock.url, wrong)).toMatchObject({ status: 400, body: JSON.parse(rejected) });
    await using usual = await startMock();
    const { teams, user_groups } = await usual.state();
    expect(text).toContain("two teams and five example groups");
    expect([teams.length, user_groups.length]).toEqual([2, 5]);
  });

  it("show a fixture and a profile as they are", async () => {
    await using mock = await startMock({ fixtures: json("fixture") });
    expect((await mock.groups()).map(({ provided_id }) => provided_id)).toEqual(["customer-7"]);

    await using known = await startMock({ profile: json("profile") });
    const long = { user_group_id: "a", name: "x".repeat(121) };
    expect(await getOrCreate(known.url, long)).toMatchObject({ status: 422, body: { success: 0 } });
    const created = await getOrCreate(known.url, { user_group_id: "a", name: "A", mapping: {} });
    expect(created).toMatchObject({ status: 201, body: { user_group: { id: 6 } } });

    // The later profile replaces a whole situation, and no other one.
    await using both = await startMock({ profile: [json("profile"), json("own")] });
    const { situations } = json("own");
    const unauthorized = await getOrCreate(both.url, long, { apiToken: "wrong" });
    expect(unauthorized).toMatchObject(situations["no API token"]);
    expect(unauthorized.body).not.toHaveProperty("success");
    expect(await getOrCreate(both.url, long)).toMatchObject({ status: 422 });
  });
});

describe("docs/the-client.md", () => {
  const service = (url: string) => ({ baseUrl: url, apiToken: "test-api-token", id: "a" });
  const load = () => import(join(pages, "my-program.js"));

  it("works with https", async () => {
    await using mock = await startMock({ tlsCert: certificate.cert, tlsKey: certificate.key });
    const create = `createUserGroup(${JSON.stringify(service(mock.url))})`;
    const program = `import { createUserGroup } from "./my-program.js"; console.log((await ${create}).name)`;
    const env = { ...plain, NODE_EXTRA_CA_CERTS: certificate.cert };
    const args = ["--input-type=module", "--eval", program];
    expect(await run(process.execPath, args, { cwd: pages, env })).toBe("a\n");
  });

  it("waits longer before each retry when the connection breaks", async () => {
    await using mock = await startMock();
    await mock.fault({ reset: true, times: 3 });
    await (await load()).createUserGroup(service(mock.url));
    const times = (await mock.requests()).map(({ at }) => Date.parse(at));
    const waits = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(waits).toEqual([100, 200, 400].map((ms) => expect.toSatisfy((waited) => waited >= ms - 2)));
  });

  it("gives up on a body that does not end in time", async () => {
    const slow = createServer((_, res) => {
      const timer = setInterval(() => res.write(" "), 20);
      res.on("close", () => clearInterval(timer));
    }).listen(0, "127.0.0.1");
    await once(slow, "listening");
    const { port } = slow.address() as AddressInfo;
    const given = { ...service(`http://127.0.0.1:${port}`), timeoutMs: 100, retries: 0 };
    await expect((await load()).createUserGroup(given)).rejects.toThrow("did not respond in time");
    slow.close();
  });
});
