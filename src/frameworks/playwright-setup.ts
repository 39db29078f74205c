import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findConfigFile, requireVersion } from "./project.js";

requireVersion("@playwright/test", "1.40", import.meta.url);

/** Beside dist/, in which this module is. */
const bin = fileURLToPath(new URL("../../../bin/usergroup-mock.cjs", import.meta.url));

/** A JSON list with the variables of each worker. Processes of Playwright that load the config again read it. */
export const workersVariable = "PLAYWRIGHT_USERGROUP_MOCKS";

/**
 * How many mocks Playwright starts, and where.
 * @example { workers: 2, port: 4010 }
 */
export interface MockServersOptions {
  /** One mock per worker of Playwright. Each needs its own application. Default: 1. */
  workers?: number;
  /** Port of the first mock; the others follow. Default: 4010. */
  port?: number;
}

/**
 * The mock of one worker.
 * @example const webServer = [mock.webServer, { command: "node my-app.js", url, env: mock.env }];
 */
export interface MockServer {
  /** Starts the mock. Put it before the application in `webServer`. */
  readonly webServer: { readonly command: string; readonly url: string; readonly reuseExistingServer: false };
  /** The environment variables named by `set` in the config file, for the application. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Mocks for an application that Playwright starts with `webServer`. All workers use the same application, so set
 * `workers: 1`, or start one mock and one application per worker.
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
  useConfigFile();
  const earlier: MockServer["env"][] = JSON.parse(process.env[workersVariable] ?? "[]");
  const isSame = earlier.length === workers && earlier[0]?.USERGROUP_MOCK_URL?.endsWith(`:${port}`);
  const all = isSame ? earlier : environments(workers, port);
  process.env[workersVariable] = JSON.stringify(all);
  return all.map((env, worker) => ({
    webServer: {
      command: `${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} --port ${port + worker} --log silent`,
      url: `${env.USERGROUP_MOCK_URL}/__admin/health`,
      reuseExistingServer: false,
    },
    env,
  })) as [MockServer, ...MockServer[]];
}

/**
 * The variables that `exec` sets, for each worker. A config of Playwright cannot be asynchronous, and the API token may
 * come from a fixture: so a process prints them.
 */
function environments(workers: number, port: number): MockServer["env"][] {
  const print = [process.execPath, "-p", "JSON.stringify(process.env)"];
  const args = [bin, "exec", "--port", String(port), "--log", "silent", "--", ...print];
  // The error of a failed process has what the command line printed.
  const printed = execFileSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const set = Object.entries<string>(JSON.parse(printed)).filter(
    ([name, value]) => process.env[name] !== value && name !== "USERGROUP_MOCK_RUN",
  );
  const ofWorker = (text: string, worker: number) => text.replaceAll(`:${port}`, `:${port + worker}`);
  return Array.from({ length: workers }, (_, worker) =>
    Object.fromEntries(set.map(([name, text]) => [name, ofWorker(text, worker)])),
  );
}

/** Lets every mock use the config file beside Playwright's config file, which is being loaded, or above it. */
function useConfigFile(): void {
  const { values } = parseArgs({ strict: false, options: { config: { type: "string", short: "c" } } });
  const config = findConfigFile(resolve(String(values.config ?? "")));
  if (config !== undefined) process.env.USERGROUP_MOCK_CONFIG ??= config;
}
