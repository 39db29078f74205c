import { randomBytes } from "node:crypto";
import { finished } from "node:stream";
import { readFixtures } from "../contract/fixtures.js";
import { loadSchemas } from "../contract/schemas.js";
import { defaultWorld } from "../contract/world-name.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { saveText } from "../foundation/save-text.js";
import { urlAt } from "../http/address.js";
import { createApp } from "../http/app.js";
import { type Limits, listen } from "../http/listen.js";
import { reportPage } from "../http/report-page.js";
import type { InjectFailure } from "../http/service-request.js";
import type { Settings } from "../options/resolve-options.js";
import { groupOfRequest, injectedFailures, injectionText } from "../run/injection.js";
import type { Run } from "../run/run.js";
import { recordAll, recordRequest } from "../run/run-reports.js";
import { defaultAssumptions, withAssumptions } from "../service/assumptions.js";
import type { Bounds } from "../world/bounds.js";
import { buildSeed } from "../world/build-seed.js";
import type { Epoch } from "../world/epoch.js";
import type { Entry } from "../world/journal/journal.js";
import { recordedRequest } from "../world/journal/report.js";
import { Worlds } from "../world/worlds.js";
import { localServer } from "./local-server.js";
import { clearReadyFile, removeReadyFile, writeReadyFile } from "./ready-file.js";
import { reportDefect, requestLog } from "./request-log.js";
import { version } from "./version.js";
import type { Mock } from "./world.js";
import { worldOf } from "./world-client.js";

/** A started mock, and what the command line prints about it. */
export interface Started {
  readonly mock: Mock;
  readonly loadedFrom: readonly string[];
  readonly apiTokens: ReadonlyMap<string, number>;
  readonly groups: number;
  readonly randomSeed: string;
}

/**
 * The composition root: settings → seed → worlds → app → a listening mock.
 * @param run the run of `exec` or `explore` that it belongs to
 * @param limits shorter timeouts, for tests
 * @param bounds smaller ones, for tests
 */
export async function startServer(
  settings: Settings,
  run?: Run,
  limits?: Partial<Limits>,
  bounds?: Bounds,
): Promise<Started> {
  const { readyFile, host, port, tls } = settings;
  if (readyFile !== undefined) await clearReadyFile(readyFile, urlAt(host, port, tls !== undefined));
  const schemas = await loadSchemas(settings.schemas);
  const reading = readFixtures(settings.fixtures, schemas);
  const randomSeed = settings.seed === "random" ? randomBytes(16).toString("hex") : settings.seed;
  const { journalSize, maxWorlds, assume, pins } = settings;
  const assumptions = withAssumptions(defaultAssumptions, {
    ...assume,
    ...run?.instructions.assume,
    ...pins,
  });
  const seed = buildSeed(reading, randomSeed, assumptions);
  const pinned = new Set(Object.keys({ ...pins }));
  const worlds = new Worlds({ seed, assumptions, pinned, schemas, version, journalSize, maxWorlds, bounds });
  const log = requestLog(settings.log, (word) => seed.apiTokens.has(word), settings.logTo);
  const { handle, classes } = await createApp({
    worlds,
    version,
    schemas,
    bodyLimit: settings.bodyLimit,
    guard: settings,
    report: reportDefect,
    answered: answered(log?.answered, run),
    inject: injectIn(run),
    refused: log?.refused,
  });
  const { url, stop, unref } = await listen(handle, { ...settings, limits, classes });
  if (readyFile !== undefined) {
    try {
      writeReadyFile(readyFile, url);
    } catch (error) {
      await stop();
      throw error;
    }
  }
  let stopping: Promise<void> | undefined;
  const stopAll = () => (stopping ??= stopNow());
  const stopNow = async () => {
    forget?.();
    if (readyFile !== undefined) removeReadyFile(readyFile, url);
    const stopped = stop();
    worlds.stop();
    await stopped;
    if (run !== undefined) await recordAll(run, () => worlds.record());
    if (settings.report !== undefined) await saveReport(settings.report, worlds);
  };
  const stopWithParent = () => void stopAll().catch(({ message }) => printError(message));
  const forget = settings.exitWithParent ? whenInputCloses(stopWithParent) : undefined;
  const server = localServer({ url, worlds, version, schemas, isStopped: () => stopping !== undefined });
  const mock: Mock = Object.assign(worldOf(server, defaultWorld), {
    stop: stopAll,
    unref,
    [Symbol.asyncDispose]: stopAll,
  });
  const loadedFrom = reading.sources.map(({ file }) => file);
  return { mock, loadedFrom, apiTokens: seed.apiTokens, groups: seed.size, randomSeed };
}

/** The report of all worlds, when the server has stopped. */
async function saveReport(path: string, worlds: Worlds): Promise<void> {
  try {
    const { pieces, leftOut } = worlds.report(worlds.findOrPreview(defaultWorld), true);
    await saveText(path, reportPage(pieces));
    for (const sentence of leftOut) printError(`warning: ${path}: ${sentence}`);
  } catch (error) {
    const message = `The report ${path} was not written: ${asError(error).message}.`;
    throw new MockError("invalid_option", message);
  }
}

function printError(message: string): void {
  process.stderr.write(`usergroup-mock: ${message}\n`);
}

/** Calls `stop` when standard input ends. Returns a function that stops listening. */
function whenInputCloses(stop: () => void): () => void {
  const { stdin } = process;
  const forget = finished(stdin.resume(), { writable: false }, stop);
  return () => {
    forget();
    stdin.pause();
  };
}

type CallListener = (world: string, entry: Entry, epoch: Epoch) => void;

/** Undefined when nobody listens, so that a call need not check twice. */
function answered(
  log: ((world: string, entry: Entry) => void) | undefined,
  run: Run | undefined,
): CallListener | undefined {
  if (run === undefined) return log;
  return (world, entry, epoch) => {
    const { decided, pinned } = entry.decisions;
    run.reached();
    for (const id of decided) run.decided(id, pinned.has(id));
    recordRequest(run, () => recordedRequest(world, entry, epoch));
    log?.(world, entry);
  };
}

/** Which failure, if any, the run injects into a call. */
function injectIn(run: Run | undefined): InjectFailure | undefined {
  if (run === undefined || (run.instructions.inject.length === 0 && !run.instructions.learns))
    return undefined;
  return (world, operation, body, groups) => {
    const injection = run.failureFor({ world, operation, group: groupOfRequest(operation, body, groups) });
    if (injection === undefined) return undefined;
    const rule = injectedFailures[injection.failure];
    return { name: `the injected failure ${injectionText(injection)}`, rule };
  };
}
