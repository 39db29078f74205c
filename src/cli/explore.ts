import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { type Settings, settle } from "../mock/options.js";
import { startServer } from "../mock/start-server.js";
import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../service/assumptions.js";
import { optionSources } from "./options-from.js";
import { type Command, exitCodeOf, readCommand, startCommand } from "./run-command.js";
import { print, progress } from "./terminal.js";

export interface ExploreFlags {
  readonly only?: readonly string[];
  readonly bail?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly concurrency?: string;
}

/** What a run under another value of one assumption came to. */
interface Finding {
  readonly id: AssumptionId;
  readonly value: string;
  /** not exercised: no answer of the run depended on the assumption, so that passing says nothing. */
  readonly result: "passes" | "breaks" | "not exercised";
  readonly exitCode: number;
  readonly durationMs: number;
}

interface Run {
  readonly exitCode: number;
  readonly durationMs: number;
  readonly output: string;
  /** The assumptions that some answer of the run depended on. */
  readonly decided: ReadonlySet<AssumptionId>;
}

/** A run under another value may never end; it gets this much, or ten times what the first one took. */
const leastRunMs = 60_000;

/** The end of what a run printed is kept, in bytes: it is shown when the tests fail as they are. */
const mostOutput = 10_000_000;

/** How long the last words of a command may take after its end. */
const lastWordsMs = 1_000;

/** `usergroup-mock explore -- <command>`: which assumptions do these tests depend on? Gives the exit code. */
export async function explore(
  flags: Readonly<Record<string, unknown>>,
  { only = [], bail = false, json = false, strict = false, concurrency = "1" }: ExploreFlags,
  set: readonly string[],
  words: readonly string[],
): Promise<number> {
  const command = readCommand("explore", words, set);
  const settings = settle(optionSources({ port: 0, ...flags }, process.env, { log: "silent" }));
  const base = withAssumptions(defaultAssumptions, settings.assume);
  const flips = flipsOf(base, only);
  if (!/^[1-9]\d?$/.test(concurrency)) {
    throw new MockError("invalid_option", `--concurrency wants a number from 1 to 99, not ${concurrency}`);
  }
  const { show, end } = progress(flips.length + 1);
  const running: Running = new Set();
  endWithSignals(running);
  const first = await run(command, settings, leastRunMs * 10, running);
  show("as is", first.exitCode === 0 ? "passes" : "fails");
  if (first.exitCode !== 0) {
    end();
    process.stderr.write(first.output);
    throw new MockError(
      "baseline",
      `The tests fail as they are (exit code ${first.exitCode}): make them pass first.`,
    );
  }
  const limit = Math.max(leastRunMs, first.durationMs * 10);
  const findings = await eachAtOnce(flips, Number(concurrency), bail, async ([id, value]) => {
    const flipped = { ...settings, port: 0, assume: { ...settings.assume, [id]: value } };
    const { exitCode, durationMs, decided } = await run(command, flipped, limit, running);
    const result = exitCode !== 0 ? "breaks" : decided.has(id) ? "passes" : "not exercised";
    show(`${id}=${value}`, result);
    return { id, value, result, exitCode, durationMs } satisfies Finding;
  });
  end();
  const dependsOn = [...new Set(findings.filter(({ result }) => result === "breaks").map(({ id }) => id))];
  print(
    json ? JSON.stringify({ dependsOn, findings }, undefined, 2) : table(findings, dependsOn, flips.length),
  );
  return strict && dependsOn.length > 0 ? 1 : 0;
}

/** Every other value of every assumption that is wanted. */
function flipsOf(base: AssumptionValues, only: readonly string[]): [AssumptionId, string][] {
  const wanted = only.flatMap((item) => item.split(","));
  for (const item of wanted) {
    const [id = "", value] = item.split("=");
    if (!assumptionIds.some((known) => known === id)) {
      throw new MockError(
        "invalid_option",
        `--only ${item}: there is no assumption ${id}${hint(id, assumptionIds)}`,
      );
    }
    const others = valuesOf(id as AssumptionId).filter((other) => other !== base[id as AssumptionId]);
    if (value !== undefined && !others.includes(value)) {
      throw new MockError(
        "invalid_option",
        `--only ${item}: ${value} is no other value of ${id}; there is ${others.join(" and ")}`,
      );
    }
  }
  const isWanted = (id: string, value: string) =>
    wanted.length === 0 || wanted.includes(id) || wanted.includes(`${id}=${value}`);
  return assumptionIds.flatMap((id) =>
    valuesOf(id)
      .filter((value) => value !== base[id] && isWanted(id, value))
      .map((value): [AssumptionId, string] => [id, value]),
  );
}

/** How to end each of the runs that are under way. */
type Running = Set<() => void>;

function endWithSignals(running: Running): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const kill of running) kill();
      process.exit(128 + constants.signals[signal]);
    });
  }
}

/** One run of the command around a server of its own. */
async function run(command: Command, settings: Settings, withinMs: number, running: Running): Promise<Run> {
  const decided = new Set<AssumptionId>();
  const { mock } = await startServer(settings, (entry) => {
    for (const id of entry.rulings.decided) decided.add(id);
  });
  const began = performance.now();
  let end = () => {};
  try {
    // A group of its own, so that whatever the command starts ends with it.
    const child = startCommand(command, mock, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    const closed = new Promise((resolve) => child.once("close", resolve));
    const outputs = [child.stdout, child.stderr];
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // All of the group has ended.
      }
    };
    const cut = setTimeout(kill, withinMs);
    running.add(kill);
    end = () => {
      clearTimeout(cut);
      running.delete(kill);
      kill();
      for (const stream of outputs) stream?.destroy();
    };
    const printed: Buffer[] = [];
    let size = 0;
    for (const stream of outputs) {
      stream?.on("data", (part: Buffer) => {
        printed.push(part);
        size += part.length;
        while (size > mostOutput) size -= printed.shift()?.length ?? size;
      });
    }
    const exitCode = await exitCodeOf(child, command.program);
    const durationMs = Math.round(performance.now() - began);
    // What it has printed may still be on its way; what it left running may hold the pipes open for ever.
    await Promise.race([closed, sleep(lastWordsMs, undefined, { ref: false })]);
    return { exitCode, durationMs, output: Buffer.concat(printed).toString(), decided };
  } finally {
    end();
    await mock.stop();
  }
}

/** The results in the order of the items, `width` of them under way at once. */
async function eachAtOnce<Item>(
  items: readonly Item[],
  width: number,
  bail: boolean,
  work: (item: Item) => Promise<Finding>,
): Promise<Finding[]> {
  const results: (Finding | undefined)[] = items.map(() => undefined);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      if (bail && results.some((finding) => finding?.result === "breaks")) return;
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results.filter((finding) => finding !== undefined);
}

function table(findings: readonly Finding[], dependsOn: readonly string[], wanted: number): string {
  const lines = findings.map(({ id, value, result, exitCode }) => {
    const shown =
      result === "breaks" ? `BREAK (exit code ${exitCode})` : result === "passes" ? "pass" : result;
    return `  ${id.padEnd(16)}${value.padEnd(16)}${shown}`;
  });
  const ids = new Set(findings.map(({ id }) => id)).size;
  const unexercised = findings.filter(({ result }) => result === "not exercised").length;
  return [
    `  ${"assumption".padEnd(16)}${"if it were".padEnd(16)}your tests`,
    ...lines,
    "",
    `Your tests depend on ${dependsOn.length} of ${ids} assumptions that nobody has confirmed.`,
    ...(unexercised > 0
      ? [`${unexercised} of ${findings.length} runs never met the assumption: nothing is known of those.`]
      : []),
    ...(findings.length < wanted
      ? [`Stopped at the first break: ${wanted - findings.length} runs were left out.`]
      : []),
  ].join("\n");
}
