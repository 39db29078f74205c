import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isObject } from "../foundation/json.js";
import { type LocatedProblem, MockError, thrown } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import { isOptionName, type OptionValues, optionNames, optionTable, type Use } from "./option-table.js";

/** The options of a mock with all defaults filled in, as the server needs them. */
export interface Settings extends Omit<OptionValues, "assumeFile" | "config" | "tlsCert" | "tlsKey"> {
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** The assumptions that were given here and now, not in the environment or a file that lies around. */
  readonly pins: Settings["assume"];
  /** Where the log goes: standard output by default. */
  readonly logTo?: "stderr";
}

/** The options of one place, as they were given there. */
export interface OptionSource {
  /** "startMock", "environment", a file name: shown in messages. */
  readonly place: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** How an option is spelled there: `--body-limit`, `USERGROUP_MOCK_BODY_LIMIT`. */
  readonly spell?: (name: string) => string;
  /** Whether its assumptions stay under `exec` and `explore`. */
  readonly pins?: boolean;
}

/** Merges the options of several places; the first place wins. Reports the problems of all places at once. */
export function resolveOptions(sources: readonly OptionSource[], use: Use): Settings {
  const given: Record<string, unknown> = {};
  let pins = {};
  const problems: LocatedProblem[] = [];
  const all = [...sources];
  // The first config file counts. It comes last, and one that names itself is not read again.
  let hasConfig = false;
  for (const { place, options, spell = (name: string) => name, pins: isPinned = false } of all) {
    for (const [name, value] of Object.entries(options)) {
      if (value === undefined) continue;
      if (!isOptionName(name)) {
        const message = `there is no ${spell(name)}${hint(spell(name), optionNames.map(spell))}`;
        problems.push({ file: place, path: "", message });
        continue;
      }
      try {
        const read = optionTable[name].kind.read(value);
        if (isPinned && (name === "assume" || name === "assumeFile")) {
          pins = name === "assume" ? { ...pins, ...Object(read) } : { ...Object(read), ...pins };
        }
        given[name] = name === "assume" ? { ...Object(read), ...Object(given[name]) } : (given[name] ?? read);
        if (name === "config" && !hasConfig) {
          hasConfig = true;
          all.push({ ...configFile(String(read)), pins: isPinned });
        }
      } catch (error) {
        const messages = reasonsOf(error).map((reason) => `${spell(name)}${reason}`);
        problems.push(...messages.map((message) => ({ file: place, path: "", message })));
      }
    }
  }
  const defaults = optionNames.map((name) => [name, optionTable[name].defaults[use]]);
  // Each value has come through the `read` of its option.
  const values = { ...Object.fromEntries(defaults), ...given } as OptionValues;
  const { assumeFile, config, tlsCert, tlsKey, ...settings } = values;
  const tls = readTls(tlsCert, tlsKey, problems);
  if (problems.length > 0) throw new MockError("invalid_option", "These options cannot be used:", problems);
  return { ...settings, assume: { ...assumeFile, ...settings.assume }, pins, tls };
}

/** What was wrong with one value, as the end of a sentence that begins with the name of its option. */
function reasonsOf(error: unknown): readonly string[] {
  if (!(error instanceof MockError) || error.details.length === 0) return [` ${thrown(error).message}`];
  return error.details.map(({ file, message }) => `: ${file === undefined ? "" : `${file}: `}${message}`);
}

/** The options of a JSON file. Its paths are relative to it. */
export function configFile(path: string): OptionSource {
  let json: unknown;
  try {
    json = readJson(path);
  } catch (error) {
    throw new MockError("invalid_option", `The config file ${path} cannot be read: ${thrown(error).message}`);
  }
  if (!isObject(json)) {
    throw new MockError("invalid_option", `The config file ${path} must hold a JSON object of options.`);
  }
  const { $schema, ...options } = json;
  const folder = dirname(path);
  const resolved = Object.entries(options).map(([name, value]) => [
    name,
    isOptionName(name) ? optionTable[name].kind.resolve(value, folder) : value,
  ]);
  return { place: path, options: Object.fromEntries(resolved) };
}

function readTls(
  certFile: string | undefined,
  keyFile: string | undefined,
  problems: LocatedProblem[],
): Settings["tls"] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    const message = "HTTPS needs both the certificate and its key: --tls-cert and --tls-key";
    problems.push({ path: "", message });
    return undefined;
  }
  try {
    const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    // Not an import: few mocks speak HTTPS, and node:tls takes longer to load than most of the mock.
    process.getBuiltinModule("node:tls").createSecureContext(tls);
    return tls;
  } catch (error) {
    const message = `The certificate or its key cannot be used: ${thrown(error).message}`;
    problems.push({ path: "", message });
    return undefined;
  }
}
