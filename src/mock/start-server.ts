import { randomBytes } from "node:crypto";
import { finished } from "node:stream";
import { readFixtures } from "../contract/fixtures.js";
import { loadSchemas } from "../contract/schemas.js";
import { defaultWorld } from "../contract/world-name.js";
import { sentence } from "../foundation/grammar.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { saveText } from "../foundation/save-text.js";
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
import { type RequestLog, reportInternalError, requestLog } from "./request-log.js";
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
 * @param run the run of `exec` or `explore` that the mock belongs to
 * @param limits shorter timeouts, for tests
 * @param bounds smaller bounds, for tests
 */
export async function startServer(
  settings: Settings,
  run?: Run,
  limits?: Partial<Limits>,
  bounds?: Bounds,
): Promise<Started> {
  const { readyFile } = settings;
  const earlier = readyFile === undefined ? "" : clearReadyFile(readyFile);
  const schemas = await loadSchemas(settings.schemas);
  const reading = readFixtures(settings.fixtures, schemas);
  const randomSeed = settings.seed === "random" ? randomBytes(16).toString("hex") : settings.seed;
  const { journalSize, maxWorlds, assume, pins } = settings;
  const choices = { ...assume, ...run?.instructions.assume, ...pins };
  const assumptions = withAssumptions(defaultAssumptions, choices);
  const seed = buildSeed(reading, randomSeed, assumptions);
  const pinned = new Set(Object.keys({ ...pins }));
  const worlds = new Worlds({ seed, assumptions, pinned, schemas, version, journalSize, maxWorlds, bounds });
  const log = requestLog(settings.log, (word) => seed.apiTokens.has(word), settings.logTo);
  const { handle, classes } = await createApp({
    worlds,
    version,
    schemas,
    bodyLimit: settings.bodyLimit,
    guard: { ...settings, rejected: log?.rejected },
    report: reportInternalError,
    completed: completed(log, run),
    inject: injectIn(run),
  });
  const listening = listen(handle, { ...settings, limits, classes });
  const { url, stop, unref } = await listening.catch(async (error) => {
    // The mock that already listens there may have written the file.
    if (readyFile !== undefined && earlier !== "") await writeReadyFile(readyFile, earlier);
    throw error;
  });
  if (run !== undefined) run.mockUrl = url;
  if (readyFile !== undefined)
    await writeReadyFile(readyFile, `${url}\n`).catch(async (error) => {
      await stop();
      throw error;
    });
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
  const { apiTokens, size: groups } = seed;
  return { mock, loadedFrom: reading.sources.map(({ file }) => file), apiTokens, groups, randomSeed };
}

/** Writes the report of all worlds after the server has stopped. */
async function saveReport(path: string, worlds: Worlds): Promise<void> {
  try {
    const { pieces, leftOut } = worlds.report(worlds.findOrPreview(defaultWorld), true);
    await saveText(path, reportPage(pieces));
    for (const sentence of leftOut) printError(`warning: ${path}: ${sentence}`);
  } catch (error) {
    const message = `The report ${path} was not written: ${asError(error).message}`;
    throw new MockError("invalid_option", sentence(message));
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

/** Undefined if neither a log nor a run records requests, so that requests do not have to check for them. */
function completed(log: RequestLog | undefined, run: Run | undefined) {
  if (run === undefined) return log?.completed;
  return (world: string, entry: Entry, epoch: Epoch) => {
    run.responded(entry.decisions);
    recordRequest(run, () => recordedRequest(world, entry, epoch));
    log?.completed(world, entry);
  };
}

/** Which failure, if any, the run injects into a request. */
function injectIn(run: Run | undefined): InjectFailure | undefined {
  const { inject = [], learns = false } = run?.instructions ?? {};
  if (run === undefined || (inject.length === 0 && !learns)) return undefined;
  return (world, operation, body, groups) => {
    const injection = run.failureFor({ world, operation, group: groupOfRequest(operation, body, groups) });
    if (injection === undefined) return undefined;
    const rule = injectedFailures[injection.failure];
    return { name: `the injected failure ${injectionText(injection)}`, rule };
  };
}
