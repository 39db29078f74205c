import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startNode } from "../cli-process.js";
import { draws, smoke } from "../long.js";
import { describeFinding, summary } from "./command.js";
import type { Rule } from "./finding.js";
import { fuzz, replay } from "./fuzzer.js";
import type { Step } from "./steps.js";

describe("the mock", () => {
  it("breaks no rule in some seconds of fuzzing", async () => {
    const result = await fuzz({ seed: randomInt(2 ** 31), seconds: draws(3, 20) });
    expect(result.finding, result.finding && describeFinding(result)).toBeUndefined();
    expect(result.cases, summary(result)).toBeGreaterThan(draws(0, 20));
  }, 180_000);
});

describe("the fuzzer", () => {
  const broken = fileURLToPath(new URL("broken-server.mjs", import.meta.url));
  const what = (step: Step) =>
    step.do === "send" ? step.requests.map(({ method, target }) => `${method} ${target}`).join() : step.do;

  const bugs: readonly [bug: string, rule: Rule, seen: RegExp][] = [
    ["fails-on-delete", "responses are valid", /DELETE \/__admin\/faults/],
    ["blocks-on-compressed-bodies", "a bystander is not delayed", /\/api\/user|overtake/],
    ["repeats-journal-ids", "E: journal ids have no gaps and no duplicates", /^(?:race|(?:\S+ \S+,?){2,6})$/],
    ["creates-again", "A: of many creations one creates", /race/],
  ];
  it.each(smoke(bugs))(
    "finds, shrinks and replays the bug %s",
    async (bug, rule, seen) => {
      const launch = () => startNode([broken, bug]);
      const result = await fuzz({ seed: 1, seconds: 60, shrinkSeconds: draws(1, 30), launch });
      expect(result.finding?.rule, `${summary(result)}: ${result.finding?.message}`).toBe(rule);
      const { smallest = [] } = result;
      expect(smallest.map(what).join(), describeFinding(result)).toMatch(seen);
      expect((await replay(smallest, launch))?.rule).toBe(rule);
      expect(await replay(smallest)).toBeUndefined();
    },
    240_000,
  );
});
