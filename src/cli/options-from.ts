import { existsSync } from "node:fs";
import { MockError } from "../foundation/mock-error.js";
import { optionNames } from "../mock/option-table.js";
import { configFile, type OptionSource } from "../mock/options.js";
import { runVariable } from "../mock/run.js";

const prefix = "USERGROUP_MOCK_";

/** Where `verify` finds its tokens. */
export const tokenVariables = {
  apiToken: `${prefix}VERIFY_API_TOKEN`,
  secondApiToken: `${prefix}VERIFY_SECOND_API_TOKEN`,
} as const;

/** Where the command of `exec` finds the URL of its mock. */
export const urlVariable = `${prefix}URL`;

/** Set by `exec` for the command that it runs, or read by `verify`; not options. */
const noOptions: readonly string[] = [
  urlVariable,
  `${prefix}API_TOKEN`,
  ...Object.values(tokenVariables),
  runVariable,
];

export const defaultConfigFile = "usergroup-mock.config.json";

export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function variableName(name: string): string {
  return prefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Kubernetes sets these in every container when a service is called usergroup-mock or usergroup-mock-… */
function isOfKubernetes(name: string, value: string | undefined): boolean {
  const isAddress = /^(tcp|udp|sctp):\/\//.test(value ?? "") && /_PORT$/.test(name);
  return isAddress || /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name);
}

/** Throws when a flag that takes one value was passed twice. */
export function refuseRepeated(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(flags)) {
    if (Array.isArray(value))
      throw new MockError("invalid_option", `${flagName(name)} can be passed only once`);
  }
}

/** The places where the command line finds options; the first place wins. */
export function optionSources(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): OptionSource[] {
  const names = new Map(optionNames.map((name) => [variableName(name), name]));
  const set = Object.entries(env).filter(
    ([name, value]) => name.startsWith(prefix) && !noOptions.includes(name) && !isOfKubernetes(name, value),
  );
  const variables = set.map(([name, value]) => [names.get(name) ?? name, value]);
  const sources: OptionSource[] = [
    { place: "command line", options: flags, spell: flagName, pins: true },
    {
      place: "environment",
      options: Object.fromEntries(variables),
      spell: (name) => (name.startsWith(prefix) ? name : variableName(name)),
    },
  ];
  const named = sources.some(({ options }) => options.config !== undefined);
  if (!named && existsSync(defaultConfigFile)) sources.push(configFile(defaultConfigFile));
  return sources;
}
