import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plain } from "./frameworks.js";
import { expectations } from "./onboarding.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { start } from "./processes.js";

const ours = /Likely cause|Last rejected|After the failure|No request of|Fault \d|#\d+/;

let inUse: PackageInUse;
/** What vitest prints of each failed test, by its title without that of its block. */
let printed: Map<string, string>;
beforeAll(async () => {
  inUse = await usePackage();
  const cwd = await inUse.link("onboarding", ["vitest", "express"]);
  const args = ["node_modules/vitest/vitest.mjs", "run", "onboarding.test.js"];
  await using running = start(process.execPath, args, { cwd, env: plain });
  expect(await running.ended(), running.output()).toBe(1);
  const blocks = stripVTControlCharacters(running.output())
    .split(/^ *FAIL /m)
    .slice(1);
  printed = new Map(blocks.map((block) => [titleOf(block), block]));
});
afterAll(() => inUse?.remove());

const titleOf = (block: string) => /.* > (.*)/.exec(block)?.[1] ?? block;

/** The lines above the requests, or all where no requests are printed. */
const sentencesOf = (block: string) => block.split(/^ *The requests of this test/m)[0] ?? "";

describe("the lines above the requests of a failed test", () => {
  it("are expected of every test of the project", () => {
    expect([...printed.keys()].toSorted()).toEqual(Object.keys(expectations).toSorted());
  });

  it.for(Object.entries(expectations))("say what is known, and nothing false: %s", ([title, expected]) => {
    const { says, never = /Likely cause/ } = expected;
    const said = sentencesOf(printed.get(title) ?? "");
    if (says === undefined) return expect(said).not.toMatch(ours);
    expect(said).toMatch(says);
    if (expected.never !== undefined || !says.source.includes("Likely cause"))
      expect(said).not.toMatch(never);
  });
});
