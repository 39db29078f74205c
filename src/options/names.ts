/** The prefix of all environment variables of the mock. */
export const variablePrefix = "USERGROUP_MOCK_";

/** The config file that is read if no other one is named. */
export const defaultConfigFile = "usergroup-mock.config.json";

/** Where `explore` keeps logs, in the current folder. */
export const exploreFolder = "usergroup-mock-explore";

/** Where `verify` finds its tokens. */
export const tokenVariables = {
  apiToken: `${variablePrefix}VERIFY_API_TOKEN`,
  secondApiToken: `${variablePrefix}VERIFY_SECOND_API_TOKEN`,
} as const;

/** What `exec` and `explore` set for their command: no options. */
export const variables = {
  /** The URL of the mock, and its first API token. */
  url: `${variablePrefix}URL`,
  apiToken: `${variablePrefix}API_TOKEN`,
  /** The folder of the run, for every process that the command starts. */
  run: `${variablePrefix}RUN`,
  /** Another directory for the reports of failed tests. */
  testReports: `${variablePrefix}TEST_REPORTS`,
} as const;

/** The environment variables of `set`, whose values can contain `{url}` and `{apiToken}`. */
export function fillVariables(
  set: Readonly<Record<string, string>>,
  mock: { readonly url: string; readonly apiToken: string },
): Record<string, string> {
  const fill = (text: string) => text.replaceAll("{url}", mock.url).replaceAll("{apiToken}", mock.apiToken);
  return Object.fromEntries(Object.entries(set).map(([name, text]) => [name, fill(text)]));
}

export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function variableName(name: string): string {
  return variablePrefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
