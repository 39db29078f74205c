import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Framework, firstSteps, plain, testFramework } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { run } from "../consumers/processes.js";
import { named, type Stack, testFirstSteps } from "./stack.js";

/** One version of each framework, with the Node of this machine. frameworks.test.ts has all that are supported. */
const stacks: readonly Stack[] = [
  { framework: "vitest", packages: ["vitest@4", "vite@7", "jsdom@latest", "happy-dom@latest"] },
  { framework: "jest", packages: ["jest@latest", "jest-environment-jsdom@latest"] },
  { framework: "playwright", packages: ["@playwright/test@latest"] },
  { framework: "node-test", packages: [] },
];

const domEnvironments: { readonly [Name in Framework]?: readonly string[] } = {
  vitest: ["jsdom", "happy-dom"],
  jest: ["jsdom"],
};
const flags: { readonly [Name in Framework]?: string } = { vitest: "environment", jest: "env" };

/** Sends a request as a page does. In jsdom, vitest has the fetch of Node, and Jest has none. */
const fetchOfPage = `
const fetch = (url, { method, headers, body }) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.onload = () => resolve(request);
  request.onerror = () => reject(new Error("Network Error"));
  request.send(body);
});
`;

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.each(named(stacks))("%s", (name, stack) => {
  const { framework } = stack;
  const projectOf = testFirstSteps(() => inUse, name, stack);
  // `npm test` runs these tests in node:test.
  if (framework !== "node-test") testFramework(framework, projectOf);

  it.for(domEnvironments[framework] ?? [])(
    "passes in %s with the comment of the page, and without it prints why the mock rejected its request",
    async (name, context) => {
      const { cwd } = projectOf(context);
      const { file, test } = firstSteps(framework);
      const blocks = blocksOfSection("test-frameworks.md", "jsdom and happy-dom");
      const comment = blocks.find(({ text }) => text.includes(`@${framework}-environment`))?.text;
      const inDom = (file: string) => ["-c", `${test.text.trim()} --${flags[framework]}=${name} ${file}`];
      await writeFile(join(cwd, "in-dom.test.js"), `${comment}${file.text}`);
      expect(await run("bash", inDom("in-dom"), { cwd, env: plain })).toMatch(/\b1 passed/);
      await writeFile(join(cwd, "as-page.test.js"), `${file.text}${fetchOfPage}`);
      await expect(run("bash", inDom("as-page"), { cwd, env: plain })).rejects.toThrow(
        /requests of this test:\n *OPTIONS \/worlds\/\S+\/api\/user → forbidden_origin: Cross-origin .*\bthe node environment/,
      );
    },
  );
});
