import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PackageInUse, repository, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { run } from "../consumers/processes.js";
import { needs } from "../needs.js";

/** The section of docs/ci-and-other-languages.md: a workflow, and commands that start the mock in the background. */
const [workflow, background] = blocksOfSection("ci-and-other-languages.md", "One CI job");
const otherWorkflows = ["A nightly job", "Python"].flatMap((heading) =>
  blocksOfSection("ci-and-other-languages.md", heading).filter(({ language }) => language === "yaml"),
);

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

  it("shows jobs for every night and for Python that GitHub's parser accepts", async () => {
    const [nightly, python] = await Promise.all(otherWorkflows.map(({ file }) => checkWorkflow(file)));
    const verify = 'npx usergroup-mock verify --against "$SERVICE_URL" --yes --expect profile.json';
    expect(nightly).toEqual({ problems: [], commands: ["npm ci", verify] });
    expect([python?.problems, python?.commands?.length]).toEqual([[], 3]);
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
