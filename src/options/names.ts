/** The prefix of all environment variables of the mock. */
export const variablePrefix = "USERGROUP_MOCK_";

/** The config file that is read if no other one is named. */
export const defaultConfigFile = "usergroup-mock.config.json";

/** Where `verify` finds its tokens. */
export const tokenVariables = {
  apiToken: `${variablePrefix}VERIFY_API_TOKEN`,
  secondApiToken: `${variablePrefix}VERIFY_SECOND_API_TOKEN`,
} as const;

/** Where the command of `exec` finds the URL of its mock. */
export const urlVariable = `${variablePrefix}URL`;

/** Names the folder of the run, in every process that the command of `exec` or `explore` starts. */
export const runVariable = `${variablePrefix}RUN`;

/** Names another directory for the reports of failed tests. */
export const testReportsVariable = `${variablePrefix}TEST_REPORTS`;

/** What the values of `set` can contain in braces: `{url}`. */
export const placeholders = ["url", "apiToken"] as const;

export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function variableName(name: string): string {
  return variablePrefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
