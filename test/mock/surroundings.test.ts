import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bin, runNode } from "../cli-process.js";

const dist = join(import.meta.dirname, "../../dist");
const stricter = join(import.meta.dirname, "../contract/stricter-schemas");

/** Steers a mock in every way, in this process and over HTTP, and prints what came of it. */
const body = `
  const mock = await startMock({ assume: { "existing-group": "updated" }, schemas: process.argv[1] });
  const headers = { Authorization: "Token " + mock.apiToken, "Content-Type": "application/json" };
  const rotate = async (world, body) => {
    const answer = await fetch(world.url + "/api/user", { method: "POST", headers, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };
  const seen = [];
  for (const world of [mock, mock.world("w"), await connectMock(mock.url)]) {
    await world.reset({});
    await world.fault({ operation: "rotate", match: { current_token: "x" }, status: 503, body: { down: true } });
    seen.push(await rotate(world, { current_token: "x", filename: "f" }), await rotate(world, { current_token: 1 }));
    await world.load(await world.state());
    await world.assume({ "old-token": "accepted" });
    await world.restore(await world.snapshot());
    seen.push((await world.requests({ operation: "rotate" })).length, (await world.faults())[0].fired);
    await world.waitForRequest({ match: { current_token: "x" } });
    for (const path of ["requests.har", "openapi.json", "assumptions", "worlds", "", "nowhere"]) {
      seen.push((await fetch(world.url + "/__admin/" + path)).status);
    }
  }
  await mock.stop();
  console.log(JSON.stringify(seen));
`;

const programs = {
  "an ES module": (before: string) => [
    "--input-type=module",
    "-e",
    `${before}; const { startMock, connectMock } = await import(${JSON.stringify(join(dist, "esm/index.js"))});${body}`,
  ],
  CommonJS: (before: string) => [
    "-e",
    `${before}; const { startMock, connectMock } = require(${JSON.stringify(join(dist, "cjs/index.js"))});
    (async () => {${body}})();`,
  ],
};

const quiet = { env: { ...process.env, NODE_NO_WARNINGS: "1" } };

const surroundings: [name: string, flags: string[], before: string][] = [
  [
    "keys on Object.prototype",
    [],
    'Object.assign(Object.prototype, { extra() {}, more: { and: { more: 1 } }, text: "text" })',
  ],
  ["frozen intrinsics", ["--frozen-intrinsics"], ""],
];

describe.concurrent.each(Object.entries(programs))("in a program that is %s", (_, programOf) => {
  let expected: Awaited<ReturnType<typeof runNode>>;
  beforeAll(async () => {
    expected = await runNode([...programOf(""), stricter], quiet);
    expect(expected).toMatchObject({ code: 0, stderr: "" });
    expect(expected.stdout).toContain('[503,{"down":true}]');
  });

  it.each(surroundings)("a mock works as ever beside %s", async (_name, flags, before) => {
    expect(await runNode([...flags, ...programOf(before), stricter], quiet)).toEqual(expected);
  });
});

describe.concurrent("the command line", () => {
  it("works under frozen intrinsics", async () => {
    const exec = ["exec", "--", process.execPath, "-e", "console.log(process.env.USERGROUP_MOCK_URL)"];
    const ended = await runNode(["--frozen-intrinsics", bin, ...exec], quiet);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/) });
  });
});
