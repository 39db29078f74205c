import { finished } from "node:stream";
import { type KnownService, knownService } from "../fake/contract/profile.js";
import { loadSchemas } from "../fake/contract/schemas.js";
import type { AdminParts } from "../fake/server/admin-handlers.js";
import { createApp } from "../fake/server/app.js";
import type { RejectedRequest } from "../fake/server/guard.js";
import { listen } from "../fake/server/listen.js";
import { maskRejected, requestLog } from "../fake/server/request-log.js";
import type { RequestParts } from "../fake/server/service-request.js";
import { Behaviour } from "../fake/service/behaviour.js";
import { buildSeed } from "../fake/service/seed.js";
import { Worlds } from "../fake/world/worlds.js";
import { crypto } from "../foundation/crypto.js";
import { printFailure } from "../foundation/terminal.js";
import type { Settings } from "../options/resolve-options.js";
import { describeTest } from "../report/describe-requests.js";
import { recordWorlds } from "../report/report-lines.js";
import { readInspectorFile, reportPage } from "../report/report-page.js";
import { JoinedRun, type TestsInWorlds } from "../run/joined-run.js";
import type { Run } from "../run/run-folder.js";
import { type ProfileSource, readFixtures, readProfiles } from "./read-files.js";
import { errorOfText } from "./reported-error.js";
import { version } from "./version.js";
import type { TestInWorld } from "./world-for-tests.js";

/** A server that listens. */
export interface StartedServer extends AdminParts {
  readonly url: string;
  /** Lets the process end while the server listens. */
  readonly unref: () => void;
  /** Resolves once everything is closed. Can be called twice. */
  readonly stop: () => Promise<void>;
  readonly isStopped: () => boolean;
  /** The files that the seed was loaded from. */
  readonly loadedFrom: readonly string[];
  /** What is known about the service, by its file. */
  readonly profiles: readonly ProfileSource[];
  /** The tests of frameworks that use its worlds. */
  readonly tests: TestsInWorlds<TestInWorld>;
}

/**
 * The composition root: settings → seed → worlds → app → a server that listens.
 * @param run the run of `exec` or `explore` that the server belongs to
 */
export async function startServer(settings: Settings, run?: Run): Promise<StartedServer> {
  const profiles = await readProfiles(settings.profile);
  const known = knownService(profiles.map(({ profile }) => profile));
  const schemas = await loadSchemas();
  const randomSeed = settings.seed === "random" ? crypto().randomBytes(16).toString("hex") : settings.seed;
  const behaviour = findBehaviour(settings, known, run);
  const sources = await readFixtures(settings.fixtures, behaviour);
  const seed = buildSeed(sources, randomSeed);
  const { journalSize } = settings;
  const worlds = new Worlds({ seed, behaviour, schemas, version, journalSize });
  const admin: AdminParts = {
    worlds,
    report: (url, only) => reportPage(recordWorlds({ worlds }, url, [], only)),
    describe: (entries, faults, error) => describeTest(entries, faults, errorOfText(error)),
    readPage: readInspectorFile,
  };
  const log = requestLog(settings.log, worlds, settings.logTo);
  const tests: StartedServer["tests"] = new Map();
  const rejected = (request: RejectedRequest) => {
    const masked = maskRejected(request, worlds);
    log?.rejected(masked);
    for (const test of tests.values()) if (test !== "ended") test.onRejected(masked);
  };
  const opened: RequestParts["opened"] = ({ id }, { name: world }) => {
    const test = tests.get(world);
    if (test !== undefined && test !== "ended") test.onRequest(id);
  };
  const joined = run && new JoinedRun(run, tests);
  const parts = { ...settings, ...admin, rejected, opened, run: joined, log: log?.completed };
  const { handle, classes } = await createApp(parts);
  const { url, stop, unref } = await listen(handle, { ...settings, classes });
  if (joined !== undefined) joined.mockUrl = url;
  let stopping: Promise<void> | undefined;
  const stopAll = () => (stopping ??= stopNow());
  const stopNow = async () => {
    forget?.();
    const stopped = stop();
    worlds.stop();
    await stopped;
    joined?.recordReport(() => recordWorlds(admin, url));
  };
  const stopWithParent = () => void stopAll().catch(printFailure);
  const forget = settings.exitWithParent ? whenInputCloses(stopWithParent) : undefined;
  return {
    ...admin,
    url,
    unref,
    stop: stopAll,
    isStopped: () => stopping !== undefined,
    loadedFrom: sources.map(({ file }) => file),
    profiles,
    tests,
  };
}

/** What the service does in every world. What was set on purpose overrides the profile, which overrides what a run tries. */
function findBehaviour(
  { assume, pins = {} }: Settings,
  known: KnownService,
  { tried = [], assume: ofRun = {} }: Partial<Run> = {},
): Behaviour {
  const chosen = Object.entries({ ...assume, ...ofRun });
  const isTried = ([id]: [string, string]) => tried.includes(id);
  const set = Object.fromEntries(chosen.filter((one) => !isTried(one)));
  return Behaviour.from(known, Object.fromEntries(chosen.filter(isTried)))
    .with(set, "set")
    .with(pins, "pinned");
}

/** Calls `stop` when standard input ends, and does not keep the process running. Returns a function that stops listening. */
function whenInputCloses(stop: () => void): () => void {
  const { stdin } = process;
  // A file as standard input has no `unref`.
  stdin.unref?.();
  return finished(stdin.resume(), { writable: false }, stop);
}
