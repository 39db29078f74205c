import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { readFixtures } from "../contract/fixtures.js";
import { MockError, thrown } from "../contract/mock-error.js";
import { loadSchemas } from "../contract/schemas.js";
import { createApp } from "../http/app.js";
import { defaultAssumptions, withAssumptions } from "../service/assumptions.js";
import { plantSeed } from "../service/seed.js";
import type { Entry } from "../world/journal.js";
import { defaultWorld, Worlds } from "../world/worlds.js";
import { callLog, reportDefect } from "./call-log.js";
import { whenInputCloses } from "./exit-with-parent.js";
import { listen } from "./listen.js";
import { localControls } from "./local-controls.js";
import type { Settings } from "./options.js";
import { type Mock, steer, worldUrl } from "./steering.js";

export const { version } = packageJson;

/** What the command line shows of a start besides the mock itself. */
export interface Started {
  readonly mock: Mock;
  readonly loadedFrom: readonly string[];
  readonly apiTokens: ReadonlyMap<string, number>;
  readonly groups: number;
  readonly randomSeed: string;
}

/**
 * The composition root: settings → seed → worlds → app → a listening mock.
 * @param watch is told of every call of every world once it is answered
 */
export async function startWith(settings: Settings, watch?: (entry: Entry) => void): Promise<Started> {
  const schemas = await loadSchemas(settings.schemas);
  const reading = readFixtures(settings.fixtures, schemas);
  const randomSeed = settings.seed === "random" ? randomBytes(16).toString("hex") : settings.seed;
  const seed = plantSeed(reading, randomSeed);
  const assumptions = withAssumptions(defaultAssumptions, settings.assume);
  const { journalSize, maxWorlds } = settings;
  const worlds = new Worlds({ seed, assumptions, schemas, version, journalSize, maxWorlds });
  const { handle, classes } = createApp({
    worlds,
    version,
    schemas,
    bodyLimit: settings.bodyLimit,
    guard: settings,
    report: reportDefect,
    answered: answered(
      callLog(settings.log, (word) => seed.apiTokens.has(word)),
      watch,
    ),
  });
  const { url, stop } = await listen(handle, { ...settings, classes });
  let giveUp = () => {};
  if (settings.readyFile !== undefined) {
    try {
      giveUp = writeReadyFile(settings.readyFile, url);
    } catch (error) {
      await stop();
      throw new MockError(
        "invalid_option",
        `The ready file ${settings.readyFile} cannot be written: ${error}`,
      );
    }
  }
  const stopAll = () => {
    forget?.();
    giveUp();
    const stopped = stop();
    worlds.end();
    return stopped;
  };
  const forget = settings.exitWithParent ? whenInputCloses(() => void stopAll()) : undefined;
  const [apiToken = ""] = seed.apiTokens.keys();
  const controls = (name: string) => localControls(worlds, name, worldUrl(url, name));
  const mock: Mock = {
    ...steer({ url, apiToken, controls }, defaultWorld),
    stop: stopAll,
    [Symbol.asyncDispose]: stopAll,
  };
  const loadedFrom = reading.sources.map(({ file }) => file);
  return { mock, loadedFrom, apiTokens: seed.apiTokens, groups: seed.size, randomSeed };
}

type CallListener = (world: string, entry: Entry) => void;

/** Undefined where nobody listens, so that a call need not ask. */
function answered(
  log: CallListener | undefined,
  watch: ((entry: Entry) => void) | undefined,
): CallListener | undefined {
  if (watch === undefined) return log;
  return (world, entry) => {
    log?.(world, entry);
    watch(entry);
  };
}

/** Gives a function that gives up, where somebody still has to come and read. */
function writeReadyFile(path: string, url: string): () => void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || there.isFile() || there.isDirectory()) {
    replaceFile(targetOf(path), `${url}\n`);
    return () => {};
  }
  return writeToReader(path, `${url}\n`);
}

/** What a link leads to, be it there yet or not: the link itself stays. */
function targetOf(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

/** Whoever waits for the file must never read half of it. */
function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  } catch (error) {
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // Why it could not be written says more.
    }
    throw error;
  }
}

/** A pipe takes something once somebody reads; to wait for that would stop everything else. */
function writeToReader(path: string, text: string): () => void {
  let again: NodeJS.Timeout | undefined;
  const write = () => {
    try {
      const pipe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      writeSync(pipe, text);
      closeSync(pipe);
    } catch (error) {
      if (thrown(error).code !== "ENXIO") throw error;
      again = setTimeout(writeIfThere, 50);
    }
  };
  const writeIfThere = () => {
    try {
      write();
    } catch {
      // It was taken away, or its reader was: nobody waits any more.
    }
  };
  write();
  return () => clearTimeout(again);
}
