import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Tells the workers about the mocks: a JSON list with the URL of the mock of each worker. */
export const urlsVariable = "PLAYWRIGHT_USERGROUP_MOCK_URLS";

const environmentVariable = "PLAYWRIGHT_USERGROUP_MOCK_ENV";

/**
 * How many mocks Playwright starts, and where.
 * @example { workers: 2, port: 4010 }
 */
export interface MockServersOptions {
  /** One mock for each worker of Playwright. Each needs an application of its own. Default: 1. */
  workers?: number;
  /** Port of the first mock; the others follow. Default: 4010. */
  port?: number;
}

/**
 * The mock of one worker.
 * @example const webServer = [mock.webServer, { command: "node my-app.js", url, env: mock.env }];
 */
export interface MockServer {
  /** Starts the mock. Place it before the application in `webServer`. */
  readonly webServer: { readonly command: string; readonly url: string; readonly reuseExistingServer: false };
  /** The variables that `set` in the config file names, for the application. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * For an application that Playwright starts by `webServer`: the mock is an entry before it. Such an application is one
 * process for all workers, so set `workers: 1`, or start one mock and one application per worker.
 *
 * @example
 * import { mockServers } from "usergroup-mock/playwright/setup";
 *
 * const [mock] = mockServers();
 *
 * export default defineConfig({
 *   workers: 1,
 *   webServer: [mock.webServer, { command: "node my-app.js", url: "http://127.0.0.1:3000", env: mock.env }],
 * });
 */
export function mockServers({
  workers = 1,
  port = 4010,
}: MockServersOptions = {}): [MockServer, ...MockServer[]] {
  const { [environmentVariable]: known = environmentWith(port) } = process.env;
  // Playwright loads its config in every worker again; the variables are the same there.
  process.env[environmentVariable] = known;
  const first = new URL(JSON.parse(known).USERGROUP_MOCK_URL).origin;
  const mockOf = (worker: number): MockServer => {
    const url = first.replace(/\d+$/, String(port + worker));
    const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(bin())} --port ${port + worker} --log silent`;
    return {
      webServer: { command, url: `${url}/__admin/health`, reuseExistingServer: false },
      env: JSON.parse(known.replaceAll(first, url)),
    };
  };
  const others = Array.from({ length: workers - 1 }, (_, index) => mockOf(index + 1));
  const mocks: [MockServer, ...MockServer[]] = [mockOf(0), ...others];
  process.env[urlsVariable] = JSON.stringify(mocks.map(({ env }) => env.USERGROUP_MOCK_URL));
  return mocks;
}

/**
 * What `exec` sets for its command, as JSON. A config of Playwright cannot wait for anything, and the API token may
 * come from a fixture: so this asks a process.
 */
function environmentWith(port: number): string {
  const print = [process.execPath, "-p", "JSON.stringify(process.env)"];
  const args = [bin(), "exec", "--port", String(port), "--log", "silent", "--", ...print];
  // The message of a process that fails has what the command line printed.
  const printed = execFileSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const added = Object.entries(JSON.parse(printed)).filter(
    ([name, value]) => process.env[name] !== value && name !== "USERGROUP_MOCK_RUN",
  );
  return JSON.stringify(Object.fromEntries(added));
}

function bin(): string {
  const packageFile = createRequire(import.meta.url).resolve("usergroup-mock/package.json");
  return join(dirname(packageFile), "bin/usergroup-mock.cjs");
}
