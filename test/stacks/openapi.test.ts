import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { installInCache } from "./install-in-cache.mjs";

/** A problem that the linter finds, and where. */
interface LintProblem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

it("GET /__admin/openapi.json passes the Redocly linter", async () => {
  const folder = await installInCache("openapi-tools", ["@redocly/openapi-core@latest"]);
  const { createConfig, lintFromString } = createRequire(join(folder, "package.json"))(
    "@redocly/openapi-core",
  );
  await using mock = await startMock();
  const source = await (await fetch(`${mock.url}/__admin/openapi.json`)).text();
  const config = await createConfig({ extends: ["recommended"] });
  const problems: LintProblem[] = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});
