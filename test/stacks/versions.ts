// Every version that a command takes from the registry when it runs (`npm run test:package`, `npm run bench`, mutation
// tests): exact, so that a new release of a dependency does not break our tests. `npm run test:package -- --latest`
// installs the newest version of each line, and the newest of all.

const exactVersions = {
  "node@20.19.0": "20.19.0",
  "node@18": "18.20.8",
  "node@20.18": "20.18.0",
  "node@20": "20.20.2",
  "node@22": "22.23.3",
  "node@24": "24.21.0",
  "node@latest": "26.10.0",
  "bun@latest": "1.4.4",
  "deno@latest": "2.9.5",

  "npm@10": "10.9.9",
  "npm@11": "11.21.1",
  "pnpm@10": "10.34.9",
  "@yarnpkg/cli-dist@latest": "4.18.1",

  "vitest@3.1": "3.1.4",
  "vitest@3.2": "3.2.7",
  "vitest@4": "4.1.12",
  "vitest@latest": "5.1.0",
  "vite@6": "6.4.6",
  "vite@7": "7.3.8",
  "vite@7.1": "7.1.5",
  "jest@28": "28.1.3",
  "jest@29": "29.7.0",
  "jest@latest": "30.5.2",
  "jest-environment-jsdom@latest": "30.5.2",
  "jsdom@latest": "29.1.1",
  "happy-dom@latest": "21.0.4",
  "@playwright/test@1.39": "1.39.0",
  "@playwright/test@1.40": "1.40.1",
  "@playwright/test@1.50": "1.50.1",
  "@playwright/test@latest": "1.65.0",

  "axios@1": "1.21.1",
  "got@14": "14.6.6",
  "ky@1": "1.14.3",
  "needle@3": "3.5.0",
  "node-fetch@3": "3.3.2",
  "superagent@10": "10.4.2",
  "undici@7": "7.30.2",
  "mocha@latest": "12.0.3",
  "jasmine@latest": "7.0.0",
  "ava@latest": "7.0.0",
  "tap@latest": "21.8.0",
  "uvu@latest": "0.5.6",
  "@cucumber/cucumber@latest": "12.9.0",

  "ajv-cli@5": "5.0.0",

  "nock@13": "13.5.6",
  "msw@2": "2.15.0",

  "body-parser@2": "2.4.0",
  "polka@0.5": "0.5.2",
  "restify@11": "11.1.0",
  "restify-errors@8": "8.1.0",
  "yup@1": "1.7.1",

  "typescript@5": "5.9.3",
  "@types/node@20": "20.19.43",

  "esbuild@0.25": "0.25.9",
  "esbuild@latest": "0.28.2",
  "rollup@4.50": "4.50.0",
  "webpack@latest": "5.112.2",
  "webpack-cli@latest": "7.3.1",

  "@actions/workflow-parser@latest": "0.3.61",

  "@arethetypeswrong/cli@latest": "0.18.5",
  "publint@latest": "0.3.25",
  "@redocly/openapi-core@latest": "2.64.0",
  "@hyperjump/browser@latest": "1.5.0",
  "@hyperjump/json-schema@latest": "1.18.0",
  "openapi-typescript@latest": "7.13.0",
  "openapi-fetch@latest": "0.17.0",
  "@hey-api/openapi-ts@latest": "0.99.0",

  "@stryker-mutator/core@9": "9.6.1",
  "@stryker-mutator/vitest-runner@9": "9.6.1",
} as const;

/** A package and a line of its versions. */
export type Line = keyof typeof exactVersions;

const isLatest = process.env.LATEST_VERSIONS === "1";

/** The argument of npm install: `jest@29.7.0`, or `jest@29` with `--latest`. */
export function specOf(line: Line): string {
  return isLatest ? line : `${nameOf(line)}@${exactVersions[line]}`;
}

/** The version of a line: `29.7.0`, or `29` with `--latest`. */
export function versionOf(line: Line): string {
  return isLatest ? line.slice(nameOf(line).length + 1) : exactVersions[line];
}

function nameOf(line: Line): string {
  return line.slice(0, line.lastIndexOf("@"));
}
