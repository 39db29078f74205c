import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { resolveOptions, type Settings } from "../mock/options.js";
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
import { type ChildCommand, exitCodeOf, readCommand, startCommand } from "./run-command.js";
import { columns, print, progress } from "./terminal.js";

export interface ExploreFlags {
  readonly only?: readonly string[];
  readonly bail?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly concurrency?: string;
}

/** The result of a run with one assumption changed. */
interface Finding {
  readonly id: AssumptionId;
  readonly value: string;
  /** "not exercised": no answer depended on the assumption, so passing proves nothing. */
  readonly result: "passes" | "breaks" | "not exercised";
  readonly exitCode: number;
  readonly durationMs: number;
}

interface Run {
  readonly exitCode: number;
  readonly durationMs: number;
  readonly output: string;
  /** The assumptions that at least one answer depended on. */
  readonly decided: ReadonlySet<AssumptionId>;
}

/** A run with a changed assumption may hang. Its timeout is ten times the first run, at least this. */
const minRunMs = 60_000;

/** Keeps only the end of the output. It is printed when the first run fails. */
const maxOutputBytes = 10_000_000;

/** How long to wait for buffered output after the command exits. */
const outputWaitMs = 1_000;

/** `usergroup-mock explore -- <command>`: finds the assumptions that tests depend on. Returns the exit code. */
export async function explore(
  flags: Readonly<Record<string, unknown>>,
  { only = [], bail = false, json = false, strict = false, concurrency = "1" }: ExploreFlags,
  set: readonly string[],
  argv: readonly string[],
): Promise<number> {
  const command = readCommand("explore", argv, set);
  const sources = optionSources({ port: 0, ...flags }, process.env);
  const settings = { ...resolveOptions(sources, "embedded"), exitWithParent: false };
  const base = withAssumptions(defaultAssumptions, settings.assume);
  const changes = listChanges(base, only);
  if (!/^[1-9]\d?$/.test(concurrency)) {
    throw new MockError("invalid_option", `--concurrency must be a number from 1 to 99, not ${concurrency}`);
  }
  const { show, end } = progress(changes.length + 1);
  const kills: Kills = new Set();
  killOnSignal(kills);
  const first = await run(command, settings, minRunMs * 10, kills);
  show("as is", first.exitCode === 0 ? "passes" : "fails");
  if (first.exitCode !== 0) {
    end();
    process.stderr.write(first.output);
    throw new MockError(
      "baseline",
      `The tests fail before any assumption is changed (exit code ${first.exitCode}). Make them pass first.`,
    );
  }
  const limit = Math.max(minRunMs, first.durationMs * 10);
  const findings = await mapConcurrently(changes, Number(concurrency), bail, async ([id, value]) => {
    const changed = { ...settings, port: 0, assume: { ...settings.assume, [id]: value } };
    const { exitCode, durationMs, decided } = await run(command, changed, limit, kills);
    const result = exitCode !== 0 ? "breaks" : decided.has(id) ? "passes" : "not exercised";
    show(`${id}=${value}`, result);
    return { id, value, result, exitCode, durationMs } satisfies Finding;
  });
  end();
  const dependsOn = [...new Set(findings.filter(({ result }) => result === "breaks").map(({ id }) => id))];
  print(
    json
      ? JSON.stringify({ dependsOn, findings }, undefined, 2)
      : findingsTable(findings, dependsOn, changes.length),
  );
  return strict && dependsOn.length > 0 ? 1 : 0;
}

/** Every other value of every assumption, or of those in `only`. */
function listChanges(base: AssumptionValues, only: readonly string[]): [AssumptionId, string][] {
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
        `--only ${item}: ${value} is not an alternative value of ${id}; use ${others.join(" or ")}`,
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

/** Functions that kill the runs in progress. */
type Kills = Set<() => void>;

function killOnSignal(kills: Kills): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const kill of kills) kill();
      process.exit(128 + constants.signals[signal]);
    });
  }
}

/** Runs the command once, with its own server. */
async function run(command: ChildCommand, settings: Settings, timeoutMs: number, kills: Kills): Promise<Run> {
  const decided = new Set<AssumptionId>();
  const { mock } = await startServer(settings, (entry) => {
    for (const id of entry.decisions.decided) decided.add(id);
  });
  const began = performance.now();
  let cleanUp = () => {};
  try {
    // Its own process group, so that its child processes can be killed too.
    const child = startCommand(command, mock, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    const closed = new Promise((resolve) => child.once("close", resolve));
    const outputs = [child.stdout, child.stderr];
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // The process group has already exited.
      }
    };
    const timeout = setTimeout(kill, timeoutMs);
    kills.add(kill);
    cleanUp = () => {
      clearTimeout(timeout);
      kills.delete(kill);
      kill();
      for (const stream of outputs) stream?.destroy();
    };
    const chunks: Buffer[] = [];
    let size = 0;
    for (const stream of outputs) {
      stream?.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        while (size > maxOutputBytes) size -= chunks.shift()?.length ?? size;
      });
    }
    const exitCode = await exitCodeOf(child, command.program);
    const durationMs = Math.round(performance.now() - began);
    // Output may still be buffered. Do not wait for `close` only: a leftover child may keep the pipes open.
    await Promise.race([closed, sleep(outputWaitMs, undefined, { ref: false })]);
    return { exitCode, durationMs, output: Buffer.concat(chunks).toString(), decided };
  } finally {
    cleanUp();
    await mock.stop();
  }
}

/** Processes up to `width` items in parallel. Returns the results in the order of the items. */
async function mapConcurrently<Item>(
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

function findingsTable(findings: readonly Finding[], dependsOn: readonly string[], wanted: number): string {
  const lines = findings.map(({ id, value, result, exitCode }) => {
    const label =
      result === "breaks" ? `BREAK (exit code ${exitCode})` : result === "passes" ? "pass" : result;
    return [id, value, label];
  });
  const ids = new Set(findings.map(({ id }) => id)).size;
  const unexercised = findings.filter(({ result }) => result === "not exercised").length;
  return [
    ...columns([["assumption", "if it were", "your tests"], ...lines]),
    "",
    `Your tests depend on ${dependsOn.length} of ${ids} assumptions that nobody has confirmed.`,
    ...(unexercised > 0
      ? [`${unexercised} of ${findings.length} runs did not exercise the assumption: they prove nothing.`]
      : []),
    ...(findings.length < wanted
      ? [`Stopped at the first break: ${wanted - findings.length} runs were left out.`]
      : []),
  ].join("\n");
}
