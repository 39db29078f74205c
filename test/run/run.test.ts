import { appendFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { knownService } from "../../src/fake/contract/profile.js";
import type { SituationId } from "../../src/fake/contract/situations.js";
import { Behaviour, type Choice, type Source } from "../../src/fake/service/behaviour.js";
import { Decisions } from "../../src/fake/service/decisions.js";
import type { Entry } from "../../src/fake/world/journal/entry.js";
import type { ServedWorld } from "../../src/fake/world/served-world.js";
import { variables } from "../../src/options/names.js";
import { beginRun, type Instructions, openRun, readSeen, removeRun } from "../../src/run/begin-run.js";
import { parseInjection } from "../../src/run/injection.js";
import { JoinedRun, type TestsInWorlds } from "../../src/run/joined-run.js";
import type { Run } from "../../src/run/run-folder.js";
import { runNode, startNode } from "../cli-process.js";
import { defaultBehaviour } from "../default-behaviour.js";
import { patience } from "../patience.js";
import { nothing } from "./own-run.js";

const learning = { ...nothing, learns: true };
const injecting = (text: string) => ({ ...nothing, inject: [parseInjection(text)] });
const world = { name: "default", journal: { epoch: 1 }, faults: { wasArmed: false } } as ServedWorld;

/** The failure that a mock of the run injects into a rotation, if any. */
const failureFor = (run: JoinedRun, to = world) =>
  run.inject("rotate", { id: 1, group: { provided_id: "acme" } } as Entry, to)?.name.replace(/.*=/, "");

const begun: Run[] = [];
const begin = (instructions: Instructions, outer?: Run) => {
  const run = beginRun(instructions, outer);
  begun.push(run);
  return run;
};
afterAll(() => {
  for (const run of begun) removeRun(run);
});

/** Where the value of old-token comes from. */
const behaviourFrom = (source: Source): Behaviour => {
  if (source === "default") return defaultBehaviour;
  if (source !== "profile") return defaultBehaviour.with({ "old-token": "rejected" }, source);
  const situations = { "current_token: previous": "rejected", "current_token: older": "rejected" } as const;
  return Behaviour.from(knownService([{ situations }]));
};

/** The run, as a mock in another process joins it. */
const joined = ({ folder }: Pick<Run, "folder">, tests: TestsInWorlds = new Map()) =>
  new JoinedRun(openRun({ [variables.run]: folder }) ?? expect.fail("there is no run"), tests);

const respond = (run: JoinedRun, decided: readonly SituationId[] = [], pinned: Choice = {}) => {
  const decisions = new Decisions(defaultBehaviour.with(pinned, "pinned"));
  for (const id of decided) decisions.outcome(id);
  run.completed({ id: 1, outcome: "success", decisions } as Entry, world);
};

describe("Run", () => {
  it("joins the run that the environment names, with its instructions", () => {
    const run = begin({ ...injecting("rotate#2=lost"), assume: { "old-token": "accepted" } });
    expect(openRun({ [variables.run]: run.folder })).toEqual(run);
    expect(openRun({})).toBeUndefined();
    expect(openRun({ [variables.run]: "" })).toBeUndefined();
  });

  it("cannot be joined once the command has ended", () => {
    const run = begin(nothing);
    removeRun(run);
    expect(() => joined(run)).toThrow(
      /^USERGROUP_MOCK_RUN refers to a run of exec or explore that has ended: /,
    );
  });

  it("collects what mocks in all processes saw", () => {
    const run = begin(nothing);
    expect(readSeen(run)).toMatchObject({ isReached: false, requests: [] });
    respond(joined(run), ["current_token: previous"]);
    const pinned = { "old-token": "rejected", "api-tokens": "listed" } as const;
    respond(joined(run), ["current_token: previous", "wrong API token"], pinned);
    expect(readSeen(run)).toMatchObject({
      isReached: true,
      decided: new Set(["old-token"]),
      pinned: new Set(["old-token", "api-tokens"]),
    });
  });

  it.each([
    ["decided", "default"],
    ["decided", "set"],
    ["known", "profile"],
    ["pinned", "pinned"],
  ] as const)(
    "has an assumption that decided a response as %s if the source of its value is: %s",
    (kind, source) => {
      const run = begin(nothing);
      const decisions = new Decisions(behaviourFrom(source));
      decisions.outcome("current_token: previous");
      joined(run).completed({ id: 1, decisions } as Entry, world);
      const { decided, known, pinned } = readSeen(run);
      const kinds = Object.entries({ decided, known, pinned }).filter(([, ids]) => ids.has("old-token"));
      expect(kinds.map(([name]) => name)).toEqual([kind]);
    },
  );

  it("ignores half a line of a process that was killed", () => {
    const run = begin(learning);
    const mock = joined(run);
    failureFor(mock);
    const [seen = ""] = readdirSync(run.folder).filter((name) => name.startsWith("seen-"));
    appendFileSync(join(run.folder, seen), '{"at":1,"re');
    expect(readSeen(run).requests).toEqual(["rotate:acme#1"]);
  });

  it("has no tests that only the requests of a mock name", () => {
    const run = begin(nothing);
    const line = { test: { world: "w", epoch: 1, id: "w" }, entry: {} };
    appendFileSync(join(run.folder, "requests-1-a.000000.jsonl"), `${JSON.stringify(line)}\n`);
    expect(readSeen(run).tests).toEqual([]);
  });

  it("lists the occurrences of a request in order if two processes write within one millisecond", () => {
    const run = begin(learning);
    const written = [
      ["seen-a", 1, "a", 10],
      ["seen-a", 2, "b", 1],
      ["seen-b", 1, "a", 9],
      ["seen-c", 0, "c", 1],
    ] as const;
    for (const [file, at, group, occurrence] of written) {
      const request = { at, name: `rotate:${group}`, occurrence };
      appendFileSync(join(run.folder, `${file}.jsonl`), `${JSON.stringify({ request })}\n`);
    }
    expect(readSeen(run).requests).toEqual(["rotate:c#1", "rotate:a#9", "rotate:a#10", "rotate:b#1"]);
  });

  it("knows which requests are beside a fault of their test: those of its mock and its epoch", () => {
    const run = begin(learning);
    const [mock, other] = [joined(run), joined(run)];
    for (const one of [mock, other]) failureFor(one);
    const decisions = new Decisions(defaultBehaviour);
    mock.completed({ id: 1, decisions } as Entry, { ...world, faults: { wasArmed: true } } as ServedWorld);
    expect([...readSeen(run).withOwnFault]).toEqual(["rotate:acme#1"]);
  });

  it("cannot begin without a temporary folder, and names it", () => {
    vi.stubEnv("TMPDIR", "/no/such/folder");
    expect(() => beginRun(nothing, undefined)).toThrow(/^ENOENT: .* '\/no\/such\/folder\/.* set TMPDIR/);
    vi.unstubAllEnvs();
  });

  it("injects nothing into a process that outlives the command", () => {
    const run = begin(injecting("rotate=lost"));
    const late = joined(run);
    removeRun(run);
    respond(late);
    expect(failureFor(late)).toBeUndefined();
    expect(existsSync(run.folder)).toBe(false);
  });
});

describe("a world that tests share one after the other", () => {
  /** Two tests send one rotation each in the world `default`. Between them, a hook sends another one. */
  const runTwoTests = (run: Run, order: readonly [string, string] = ["first", "second"]) => {
    const tests: TestsInWorlds = new Map();
    const mock = joined(run, tests);
    return order.flatMap((id, index) => {
      tests.set("default", { id, hasFailed: () => false });
      const inTest = failureFor(mock);
      tests.set("default", "ended");
      return index === 0 ? [inTest, failureFor(mock)] : [inTest];
    });
  };

  it("names its requests by the test that sends them", () => {
    const run = begin(learning);
    runTwoTests(run);
    // The one between them is the second of the world.
    expect(readSeen(run).requests.toSorted()).toEqual([
      "first/rotate:acme#1",
      "rotate:acme#2",
      "second/rotate:acme#1",
    ]);
  });

  it.each([
    [
      ["first", "second"],
      [undefined, undefined, "lost"],
    ],
    [
      ["second", "first"],
      ["lost", undefined, undefined],
    ],
  ] as const)("injects a failure into the test that is named, in the order %j", (order, failures) => {
    expect(runTwoTests(begin(injecting("second/rotate:acme#1=lost")), order)).toEqual(failures);
  });

  it("counts across its tests if the world itself is named", () => {
    expect(runTwoTests(begin(injecting("rotate:acme#3=lost")))).toEqual([undefined, undefined, "lost"]);
  });
});

describe("a world with labels and without", () => {
  it("gets a failure in an epoch of each, although the first request counts for both", () => {
    const inject = ["setup/rotate:acme#1=lost", "w3/rotate:acme#2=cut"].map(parseInjection);
    const mock = joined(begin({ ...nothing, inject }));
    const failures = ["setup", undefined].map((label) => {
      const w3 = { ...world, name: "w3", journal: { epoch: 1, label } } as ServedWorld;
      return failureFor(mock, w3);
    });
    expect(failures).toEqual(["lost", "cut"]);
  });
});

describe("a nested run", () => {
  it("follows the instructions of the outer run, which sees what its mocks see", () => {
    const outer = begin({ ...injecting("rotate#2=lost"), assume: { "old-token": "accepted" } });
    const inner = begin(nothing, outer);
    expect(inner).toMatchObject({
      assume: { "old-token": "accepted" },
      inject: outer.inject,
    });
    const targets = [outer, inner, inner, outer].map((run) => failureFor(joined(run)));
    expect(targets).toEqual([undefined, "lost", undefined, undefined]);
    respond(joined(inner), ["current_token: previous"]);
    expect(readSeen(outer)).toMatchObject({
      injected: new Set(["rotate#2=lost"]),
      decided: new Set(["old-token"]),
    });
  });

  it("records its requests in the outer run, through any number of runs", () => {
    const outer = begin(learning);
    const innermost = begin(nothing, begin(nothing, outer));
    failureFor(joined(innermost));
    failureFor(joined(outer));
    expect(readSeen(outer).requests).toEqual(["rotate:acme#1", "rotate:acme#2"]);
  });

  it("follows its own instructions if it has some", () => {
    const outer = begin({ ...injecting("rotate=lost"), assume: { "old-token": "accepted" } });
    const inner = begin({ ...injecting("rotate=cut"), assume: { "old-token": "rejected" } }, outer);
    expect(inner).toMatchObject({
      assume: { "old-token": "rejected" },
      inject: [{ failure: "cut" }],
    });
    expect(failureFor(joined(inner))).toBeDefined();
    expect(readSeen(outer).injected).toEqual(new Set(["rotate#1=cut"]));
    expect(failureFor(joined(outer))).toBeDefined();
  });

  it("learns its own requests if it is one of explore", () => {
    const outer = begin(injecting("rotate=lost"));
    const inner = begin(learning, outer);
    expect(failureFor(joined(inner))).toBeUndefined();
    expect(readSeen(inner).requests).toEqual(["rotate:acme#1"]);
    expect(failureFor(joined(outer))).toBeDefined();
  });

  it("records what a report shows if the outer run wants one", () => {
    const outer = begin({ ...nothing, reports: true });
    expect([begin(nothing, outer).reports, begin(nothing).reports]).toEqual([true, false]);
  });

  it("continues when the outer run has ended", () => {
    const outer = begin(learning);
    const inner = begin(nothing, outer);
    const mock = joined(inner);
    removeRun(outer);
    respond(mock);
    expect(failureFor(mock)).toBeUndefined();
    expect(readSeen(inner).isReached).toBe(true);
  });
});

const dist = pathToFileURL(join(import.meta.dirname, "../../dist/esm/index.js")).href;

/** Rotates the token of a group repeatedly, on its own mock, and prints each status. */
const rotating = (times: number) => `
  import { startMock } from ${JSON.stringify(dist)};
  const mock = await startMock();
  const headers = { Authorization: "Token " + mock.apiToken, "Content-Type": "application/json" };
  let current_token = (await mock.state()).user_groups.find(({ provided_id }) => provided_id === "example_1").token;
  for (let n = 0; n < ${times}; n++) {
    const body = JSON.stringify({ current_token });
    const response = await fetch(mock.url + "/api/user", { method: "POST", headers, body });
    console.log(response.status);
    const { user_group } = await response.json();
    current_token = user_group?.token ?? current_token;
  }
`;

describe("several processes of a run", () => {
  it("give each request its own number and inject a failure exactly once", async () => {
    const [processes, requests] = [2, 20];
    const run = begin({
      ...injecting(`rotate:example_1#${(processes * requests) / 2}=unavailable`),
      learns: true,
    });
    const env = { ...process.env, [variables.run]: run.folder };
    const source = `${rotating(requests)} await mock.stop();`;
    const all = Array.from({ length: processes }, () =>
      runNode(["--input-type=module", "-e", source], { env }),
    );
    const statuses = (await Promise.all(all)).flatMap(({ stdout }) => stdout.trim().split("\n"));
    expect(statuses.sort()).toEqual([...Array(processes * requests - 1).fill("200"), "503"]);
    const numbers = readSeen(run).requests.map((name) => Number(name.replace("rotate:example_1#", "")));
    expect(numbers.sort((a, b) => a - b)).toEqual(
      Array.from({ length: processes * requests }, (_, n) => n + 1),
    );
  });
});

describe("a process of a run that is killed", () => {
  it("has recorded its requests and the assumptions that decided them", async () => {
    const run = begin(learning);
    const env = { ...process.env, [variables.run]: run.folder };
    const source = `${rotating(3)} setInterval(() => {}, 1_000);`;
    await using running = startNode(["--input-type=module", "-e", source], { env });
    await vi.waitFor(() => expect(running.stdout().split("\n")).toHaveLength(4), patience);
    running.child.kill("SIGKILL");
    await running.exited;
    expect(readSeen(run)).toMatchObject({
      isReached: true,
      decided: new Set(["rotated-token"]),
      requests: ["rotate:example_1#1", "rotate:example_1#2", "rotate:example_1#3"],
    });
  });
});
