import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, it, type TestContext } from "vitest";
import {
  type Framework,
  type FrameworkProject,
  firstSteps,
  frameworks,
  plain,
} from "../consumers/frameworks.js";
import type { PackageInUse } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";
import { needs } from "../needs.js";
import { needsBinaries } from "./binaries.js";
import { type RuntimeLine, runtimeOf } from "./runtimes.js";
import { type Line, specOf } from "./versions.js";

/** A version of a framework, the packages that are installed with it, and the version of Node. */
export interface Stack {
  readonly framework: Framework;
  readonly packages: readonly Line[];
  /** Default: the Node that runs the tests. */
  readonly node?: RuntimeLine;
}

/** The stacks with their names, such as `jest@30.5.2 on node@20.20.2`. */
export function named<T extends Stack>(stacks: readonly T[]): readonly (readonly [string, T])[] {
  return stacks.map((one) => {
    const [first] = one.packages;
    const name = first === undefined ? one.framework : specOf(first);
    return [one.node === undefined ? name : `${name} on ${specOf(one.node)}`, one];
  });
}

/** Installs this package and a framework in an empty directory, with the command of the page. */
export async function installStack(
  context: TestContext,
  inUse: PackageInUse,
  name: string,
  { framework, packages, node }: Stack,
) {
  needs(context, "bash");
  const path = node === undefined ? process.execPath : (await runtimeOf(context, node)).path;
  const { install } = firstSteps(framework);
  const line = ["npm install --save-dev usergroup-mock", ...frameworks[framework].packages].join(" ");
  expect(install).toMatchObject({ language: "sh", text: `${line}\n` });
  const cwd = await inUse.folder(name.replace(/\W+/g, "-"));
  const env = {
    PATH: `${dirname(path)}${delimiter}${process.env.PATH}`,
    npm_config_prefer_offline: "true",
    ...{ npm_config_audit: "false", npm_config_fund: "false" },
    ...plain,
  };
  const wanted = [inUse.tarball, ...packages.map(specOf)].join(" ");
  await run("bash", ["-c", line.replace(/usergroup-mock.*/, wanted)], { cwd, env });
  needsBinaries(context, cwd);
  return { cwd, node: path, env };
}

/** Defines a test that installs a stack, and returns its project for further tests. */
export function testFirstSteps(
  inUse: () => PackageInUse,
  name: string,
  stack: Stack,
): (context: TestContext) => FrameworkProject {
  const { file, test } = firstSteps(stack.framework);
  let project: FrameworkProject | undefined;
  it("passes the first test of the page with the commands of the page", async (context) => {
    const { cwd, node, env } = await installStack(context, inUse(), name, stack);
    await writeFile(join(cwd, file.file), file.text);
    expect(await run("bash", ["-c", test.text], { cwd, env })).toMatch(/1 passed|pass 1/);
    await inUse().copy(stack.framework, cwd);
    project = { cwd, node };
  });
  return (context) => project ?? context.skip("It could not be set up: see above.");
}
