import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { parseInjection } from "../../src/run/injection.js";
import { type GivenInstructions, Run, runVariable } from "../../src/run/run.js";
import { runNode, startNode } from "../cli-process.js";

vi.setConfig({ testTimeout: 60_000 });

const nothing: GivenInstructions = { assume: {}, inject: [], learns: false, reports: false };
const learning = { ...nothing, learns: true };
const injecting = (text: string) => ({ ...nothing, inject: [parseInjection(text)] });
const rotation = { world: "default", operation: "rotate", group: "acme" } as const;

const begun: Run[] = [];
const begin = (instructions: GivenInstructions, outer?: Run) => {
  const run = Run.begin(instructions, outer);
  begun.push(run);
  return run;
};
afterAll(() => {
  for (const run of begun) run.remove();
});

/** What a mock in another process of this run has. */
const joined = (run: Run) => Run.join({ [runVariable]: run.folder }) ?? expect.fail("there is no run");

describe("a run", () => {
  it("is joined by what the environment names, with its instructions", () => {
    const run = begin({ ...injecting("rotate#2=lost"), assume: { "old-token": "accepted" } });
    expect(joined(run).instructions).toEqual(run.instructions);
    expect(Run.join({})).toBeUndefined();
    expect(Run.join({ [runVariable]: "" })).toBeUndefined();
  });

  it("cannot be joined once it is over", () => {
    const run = begin(nothing);
    run.remove();
    expect(() => joined(run)).toThrow(
      /^USERGROUP_MOCK_RUN names the run of an exec or explore that is over: /,
    );
  });

  it("knows what its mocks saw, of whichever process", () => {
    const run = begin(nothing);
    expect(run.seen()).toEqual({
      isReached: false,
      decided: new Set(),
      pinned: new Set(),
      calls: [],
      injected: new Set(),
      tests: [],
    });
    joined(run).reached();
    joined(run).decided("old-token", false);
    joined(run).decided("old-token", true);
    joined(run).decided("api-tokens", true);
    expect(run.seen()).toMatchObject({
      isReached: true,
      decided: new Set(["old-token"]),
      pinned: new Set(["old-token", "api-tokens"]),
    });
  });

  it("does not mind half a line of a process that was killed", () => {
    const run = begin(learning);
    const mock = joined(run);
    mock.failureFor(rotation);
    appendFileSync(join(run.folder, `seen-${mock.id}.jsonl`), '{"at":1,"ca');
    expect(run.seen().calls).toEqual(["rotate:acme#1"]);
  });

  it("counts one name without gaps, whichever mock is called", () => {
    const run = begin(learning);
    const [a, b] = [joined(run), joined(run)];
    for (const mock of [a, a, b, a, b, b, b, a]) mock.failureFor(rotation);
    const numbers = run.seen().calls.map((name) => Number(name.split("#")[1]));
    expect(numbers.sort((x, y) => x - y)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("has the occurrences of a call in their order, though two processes write within one millisecond", () => {
    const run = begin(learning);
    const written = [
      ["seen-a", 1, "rotate:a#10"],
      ["seen-a", 2, "rotate:b#1"],
      ["seen-b", 1, "rotate:a#9"],
      ["seen-c", 0, "rotate:c#1"],
    ] as const;
    for (const [file, at, call] of written) {
      appendFileSync(join(run.folder, `${file}.jsonl`), `${JSON.stringify({ at, call })}\n`);
    }
    expect(run.seen().calls).toEqual(["rotate:c#1", "rotate:a#9", "rotate:a#10", "rotate:b#1"]);
  });

  it("is not obeyed by what outlives it", () => {
    const run = begin(injecting("rotate=lost"));
    const late = joined(run);
    run.remove();
    late.reached();
    expect(late.failureFor(rotation)).toBeUndefined();
    expect(existsSync(run.folder)).toBe(false);
  });
});

describe("a run within a run", () => {
  it("obeys the run around it, and what it saw counts there", () => {
    const outer = begin({ ...injecting("rotate#2=lost"), assume: { "old-token": "accepted" } });
    const inner = begin(nothing, joined(outer));
    expect(inner.instructions).toMatchObject({
      assume: { "old-token": "accepted" },
      inject: outer.instructions.inject,
    });
    const targets = [outer, inner, inner, outer].map((run) => joined(run).failureFor(rotation)?.failure);
    expect(targets).toEqual([undefined, "lost", undefined, undefined]);
    joined(inner).decided("old-token", false);
    expect(outer.seen()).toMatchObject({
      injected: new Set(["rotate#2=lost"]),
      decided: new Set(["old-token"]),
    });
  });

  it("is learnt by the run around it, through any number of runs", () => {
    const outer = begin(learning);
    const innermost = begin(nothing, joined(begin(nothing, joined(outer))));
    joined(innermost).failureFor(rotation);
    joined(outer).failureFor(rotation);
    expect(outer.seen().calls).toEqual(["rotate:acme#1", "rotate:acme#2"]);
  });

  it("has instructions of its own where it is given some", () => {
    const outer = begin({ ...injecting("rotate=lost"), assume: { "old-token": "accepted" } });
    const inner = begin({ ...injecting("rotate=cut"), assume: { "old-token": "rejected" } }, joined(outer));
    expect(inner.instructions).toMatchObject({
      assume: { "old-token": "rejected" },
      inject: [{ failure: "cut" }],
    });
    expect(joined(inner).failureFor(rotation)).toBeDefined();
    expect([inner.seen().injected.size, outer.seen().injected.size]).toEqual([1, 0]);
    expect(joined(outer).failureFor(rotation)).toBeDefined();
  });

  it("goes on when the run around it is over", () => {
    const outer = begin(learning);
    const inner = begin(nothing, joined(outer));
    const mock = joined(inner);
    outer.remove();
    mock.reached();
    expect(mock.failureFor(rotation)).toBeUndefined();
    expect(inner.seen().isReached).toBe(true);
  });
});

const dist = pathToFileURL(join(import.meta.dirname, "../../dist/esm/index.js")).href;

/** Rotates the token of a group again and again, on a mock of its own, and prints each status. */
const rotating = (times: number) => `
  import { startMock } from ${JSON.stringify(dist)};
  const mock = await startMock();
  const headers = { Authorization: "Token " + mock.apiToken, "Content-Type": "application/json" };
  let current_token = (await mock.state()).user_groups.find(({ provided_id }) => provided_id === "example_1").token;
  for (let n = 0; n < ${times}; n++) {
    const body = JSON.stringify({ current_token });
    const answer = await fetch(mock.url + "/api/user", { method: "POST", headers, body });
    console.log(answer.status);
    const { user_group } = await answer.json();
    current_token = user_group?.token ?? current_token;
  }
`;

describe("several processes at once", () => {
  const processes = 4;
  const calls = 15;
  const inAll = async (run: Run) => {
    const env = { ...process.env, [runVariable]: run.folder };
    const source = `${rotating(calls)} await mock.stop();`;
    const all = Array.from({ length: processes }, () =>
      runNode(["--input-type=module", "-e", source], { env }),
    );
    return (await Promise.all(all)).flatMap(({ stdout }) => stdout.trim().split("\n"));
  };

  it("give every call a number, each once, and inject a failure exactly once", async () => {
    const run = begin({
      ...injecting(`rotate:example_1#${(processes * calls) / 2}=unavailable`),
      learns: true,
    });
    const statuses = await inAll(run);
    expect(statuses.sort()).toEqual([...Array(processes * calls - 1).fill("200"), "503"]);
    const numbers = run.seen().calls.map((name) => Number(name.replace("rotate:example_1#", "")));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: processes * calls }, (_, n) => n + 1));
  });
});

describe("a process that is killed", () => {
  it("has counted its calls, and what they met", async () => {
    const run = begin(learning);
    const env = { ...process.env, [runVariable]: run.folder };
    const source = `${rotating(3)} setInterval(() => {}, 1_000);`;
    await using running = startNode(["--input-type=module", "-e", source], { env });
    await vi.waitFor(() => expect(running.stdout().split("\n")).toHaveLength(4), { timeout: 30_000 });
    running.child.kill("SIGKILL");
    await running.exited;
    expect(run.seen()).toMatchObject({
      isReached: true,
      decided: new Set(["rotated-token"]),
      calls: ["rotate:example_1#1", "rotate:example_1#2", "rotate:example_1#3"],
    });
  });
});

describe("the folder of a run", () => {
  it("is gone when the run is", () => {
    const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-folders-"));
    vi.stubEnv("TMPDIR", folder);
    const run = Run.begin(learning, undefined);
    joined(run).failureFor(rotation);
    expect(readdirSync(folder)).toHaveLength(1);
    run.remove();
    expect(readdirSync(folder)).toEqual([]);
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
});
