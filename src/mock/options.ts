import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Fixture } from "../contract/types.js";
import { readJson } from "../foundation/json.js";
import { type LocatedProblem, MockError, thrown } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import type { LogStyle } from "./mock-options.js";
import { isOptionName, optionNames, optionTable } from "./option-table.js";

/** The options of a mock, with nothing left out. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly fixtures: readonly (string | Fixture)[];
  readonly schemas: string | undefined;
  readonly assume: Readonly<Record<string, unknown>>;
  readonly seed: string;
  readonly bodyLimit: number;
  readonly journalSize: number;
  readonly maxWorlds: number;
  readonly allowHost: readonly string[];
  readonly adminToken: string | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly readyFile: string | undefined;
  readonly exitWithParent: boolean;
  readonly log: LogStyle;
}

/** The options of one place, as they were given there. */
export interface OptionSource {
  /** "startMock", "the environment", a file name: said in messages. */
  readonly place: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** How an option is spelled there: `--body-limit`, `USERGROUP_MOCK_BODY_LIMIT`. */
  readonly spell?: (name: string) => string;
  /** What holds where nobody says otherwise: a file that another place names beats it too. */
  readonly isFallback?: true;
}

/** One set of options from several places; what stands first wins. Every problem of every place at once. */
export function settle(sources: readonly OptionSource[]): Settings {
  const merged: Record<string, unknown> = {};
  const problems: LocatedProblem[] = [];
  const all = [...sources];
  // The file that is named first counts; one that names itself must not be read for ever.
  let configured = false;
  for (const source of all) {
    const spell = source.spell ?? ((name: string) => name);
    for (const [name, given] of Object.entries(source.options)) {
      if (given === undefined) continue;
      if (!isOptionName(name)) {
        const known = optionNames.map(spell);
        const message = `there is no ${spell(name)}${hint(spell(name), known)}`;
        problems.push({ file: source.place, path: "", message });
        continue;
      }
      try {
        const value = optionTable[name].read(given);
        merged[name] =
          name === "assume" ? { ...(value as object), ...(merged[name] as object) } : (merged[name] ?? value);
        // A file named by one place stands behind all places, but before what holds where nobody says otherwise.
        if (name === "config" && !configured) {
          configured = true;
          const end = all.findIndex(({ isFallback }) => isFallback);
          all.splice(end === -1 ? all.length : end, 0, configFile(String(value)));
        }
      } catch (error) {
        problems.push({ file: source.place, path: "", message: `${spell(name)} ${thrown(error).message}` });
      }
    }
  }
  const tls = readTls(merged, problems);
  if (problems.length > 0) throw new MockError("invalid_option", "These options cannot be used:", problems);
  // Each value has come through the `read` of its option.
  const read = merged as Partial<Settings>;
  return {
    port: read.port ?? 0,
    host: read.host ?? "127.0.0.1",
    fixtures: read.fixtures ?? [],
    schemas: read.schemas,
    assume: { ...(merged.assumeFile as object), ...read.assume },
    seed: read.seed ?? "usergroup-mock",
    bodyLimit: read.bodyLimit ?? 100_000,
    journalSize: read.journalSize ?? 1_000,
    maxWorlds: read.maxWorlds ?? 10_000,
    allowHost: read.allowHost ?? [],
    adminToken: read.adminToken,
    tls,
    readyFile: read.readyFile,
    exitWithParent: read.exitWithParent ?? false,
    log: read.log ?? "silent",
  };
}

/** The options of a JSON file. */
export function configFile(path: string): OptionSource {
  let json: unknown;
  try {
    json = readJson(path);
  } catch (error) {
    throw new MockError("invalid_option", `The config file ${path} cannot be read: ${thrown(error).message}`);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new MockError("invalid_option", `The config file ${path} must hold a JSON object of options.`);
  }
  const { $schema, ...options } = json as Record<string, unknown>;
  return { place: path, options };
}

function readTls(merged: Record<string, unknown>, problems: LocatedProblem[]): Settings["tls"] {
  const { tlsCert, tlsKey } = merged;
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    problems.push({
      path: "",
      message: "HTTPS needs both the certificate and its key: --tls-cert and --tls-key",
    });
    return undefined;
  }
  try {
    const tls = { cert: readFileSync(String(tlsCert)), key: readFileSync(String(tlsKey)) };
    createSecureContext(tls);
    return tls;
  } catch (error) {
    problems.push({
      path: "",
      message: `The certificate or its key cannot be used: ${thrown(error).message}`,
    });
    return undefined;
  }
}
