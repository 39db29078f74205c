import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { type PackageInUse, repository, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { run } from "../consumers/processes.js";
import { needs } from "../needs.js";

/** The section of docs/ci-and-other-languages.md: a workflow, and commands that start the mock in the background. */
const [workflow, background] = blocksOfSection("ci-and-other-languages.md", "One CI job");
const otherWorkflows = ["A nightly job", "Python"].flatMap((heading) =>
  blocksOfSection("ci-and-other-languages.md", heading).filter(({ language }) => language === "yaml"),
);
const [nightlyJob, pythonJob] = otherWorkflows;

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.install("ci-recipes", ["@actions/workflow-parser@latest"]);
  const file = join(project, workflow?.file ?? "");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, workflow?.text ?? "");
  for (const { file, text } of otherWorkflows) await writeFile(join(project, file), text);
  // The parser imports JSON in a way that only bundlers accept, not Node.
  const banner = {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  };
  const entryPoints = [join(project, "check-workflow.js")];
  const outfile = join(project, "bundled/check-workflow.js");
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner,
    logLevel: "error",
  });
});
afterAll(() => inUse?.remove());

async function checkWorkflow(file: string): Promise<{ problems: string[]; commands?: string[] }> {
  return JSON.parse(await run(process.execPath, ["bundled/check-workflow.js", file], { cwd: project }));
}

const found = "my tests found a mock: ok";

describe("docs/ci-and-other-languages.md", () => {
  it("shows a GitHub workflow that GitHub's parser accepts, whose commands work, and which uploads the reports", async (context) => {
    needs(context, "bash");
    const { problems, commands = [] } = await checkWorkflow(".github/workflows/test.yml");
    expect([problems, commands.length]).toEqual([[], 2]);
    expect(await run("bash", ["-c", commands.join("\n")], { cwd: project })).toContain(found);
    const failing = commands[1]?.replace("npm test", "npm run no-such-script") ?? "";
    await expect(run("bash", ["-c", failing], { cwd: project })).rejects.toThrow();
    const [, reports = ""] = /path: \|\n((?: +\S+\n)+)/.exec(workflow?.text ?? "") ?? [];
    const [report = ""] = reports.trim().split(/\s+/);
    expect(await readFile(join(project, report), "utf8")).toContain("<!doctype html>");
  });

  it("shows a job for Python that GitHub's parser accepts, and that uploads the report of a failed test", async () => {
    const python = await checkWorkflow(pythonJob?.file ?? "");
    expect([python.problems, python.commands?.length]).toEqual([[], 3]);
    expect(python.commands?.at(-1)).toContain("--report report.html ");
    expect(pythonJob?.text).toMatch(/upload-artifact.*\n +if: failure\(\)\n.*\n.*\n +path: report\.html$/m);
  });

  it("shows a job for every night that opens a pull request with the changed lines, and updates it", async (context) => {
    needs(context, "bash", "git");
    const { problems, commands = [] } = await checkWorkflow(nightlyJob?.file ?? "");
    expect([problems, commands.length, commands[0]]).toEqual([[], 3, "npm ci"]);
    const [, verify = "", propose = ""] = commands;

    const clone = join(project, "clone");
    const bash = (command: string, env: NodeJS.ProcessEnv = {}) =>
      run("bash", ["-e", "-c", command], {
        cwd: clone,
        env: {
          USERGROUP_MOCK_VERIFY_API_TOKEN: "test-api-token",
          PATH: `${project}:${process.env.PATH}`,
          ...env,
        },
      });
    await mkdir(clone);
    const learn = verify.replace("--expect profile.json ", "");
    await using before = await startMock();
    await bash(learn, { SERVICE_URL: before.url });
    const first = "git init --quiet --bare ../origin && git init --quiet && git remote add origin ../origin";
    const save = "git -c user.name=a -c user.email=a@localhost commit --quiet --message first";
    await bash(`${first} && git add profile.json && ${save} && git push --quiet origin HEAD:main`);
    expect(await bash(verify, { SERVICE_URL: before.url })).toContain("Nothing has changed.");

    await writeFile(join(project, "gh"), '#!/bin/sh\necho gh "$@"\n', { mode: 0o755 });
    await using after = await startMock({ assume: { "old-token": "accepted" } });
    for (const night of [1, 2]) {
      await bash(
        "git checkout --quiet --detach origin/main && git branch --force --delete service-changed || true",
      );
      await expect(bash(verify, { SERVICE_URL: after.url })).rejects.toThrow("something has changed");
      expect(await bash(propose), `night ${night}`).toContain("gh pr create --head service-changed");
    }
    const changed = await run("git", ["show", "--format=", "service-changed"], {
      cwd: join(project, "origin"),
    });
    const rows = changed.match(/^\+ {4}"current_token: .*/gm);
    expect(rows).toEqual([
      '+    "current_token: previous": "accepted",',
      '+    "current_token: older": "accepted",',
    ]);
    expect(changed.match(/^\+ {4}/gm)).toHaveLength(2);
  });

  it("shows how to wait for a mock in the background", async (context) => {
    needs(context, "unshare as root", "bash");
    const script = ["set -e", "ip link set lo up", background?.text].join("\n");
    const output = await run("unshare", ["--net", "bash", "-c", script], { cwd: project });
    expect(output).toContain("usergroup-mock is ready at http://127.0.0.1:4010.");
    expect(output).toContain(found);
  });
});

describe("the workflows of this repository", () => {
  it.each([
    ["test.yml", [".ci/run"]],
    [
      "release.yml",
      [
        "npm ci",
        ".ci/run",
        expect.stringContaining("GITHUB_REF_NAME"),
        "npm publish --provenance --access public",
      ],
    ],
  ])("%s is accepted by GitHub's parser", async (file, commands) => {
    const path = join(repository, ".github/workflows", file);
    expect(await checkWorkflow(path)).toEqual({ problems: [], commands });
  });
});
