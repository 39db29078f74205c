import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  defaultConfigFile,
  flagName,
  tokenVariables,
  variableName,
  variablePrefix,
  variables,
} from "./names.js";
import { optionNames } from "./option-table.js";
import type { OptionSource } from "./resolve-options.js";

const notOptions: readonly string[] = [...Object.values(variables), ...Object.values(tokenVariables)];

/** Kubernetes sets these in every container if a service is named usergroup-mock or usergroup-mock-… */
const fromKubernetes = /^\w+_(SERVICE_(HOST|PORT)|PORT_\d+_TCP|PORT=tcp:)/;

/** Where the command line finds options; the first place wins. */
export function optionSources(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): OptionSource[] {
  const names = new Map(optionNames.map((name) => [variableName(name), name]));
  const set = Object.entries(env).filter(
    ([name, value]) =>
      name.startsWith(variablePrefix) &&
      !notOptions.includes(name) &&
      !fromKubernetes.test(`${name}=${value}`),
  );
  const options = set.map(([name, value]) => [names.get(name) ?? name, value]);
  // The default of `config`.
  const found = resolve(defaultConfigFile);
  return [
    { place: "command line", options: flags, spell: flagName, pins: true },
    {
      place: "environment",
      options: Object.fromEntries(options),
      spell: (name) => (name.startsWith(variablePrefix) ? name : variableName(name)),
    },
    { place: "default", options: existsSync(found) ? { config: found } : {} },
  ];
}
