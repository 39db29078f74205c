import { resolve } from "node:path";
import { type MockOptions, startMock } from "../index.js";
import { configFile } from "../options/resolve-options.js";
import { configDirectories, findConfigFile } from "./project-root.js";
import { readTestOptions, type TestOptions } from "./test-options.js";
import { TestServer } from "./test-server.js";

/** Global, because a set-up and the entry of its framework are separate bundles. */
const key = Symbol.for("usergroup-mock set-up");

const advice =
  "The set-up of usergroup-mock reads the names of your environment variables from this file, for example: " +
  '{ "set": { "USER_GROUP_URL": "{url}", "USER_GROUP_TOKEN": "{apiToken}" } }';

/**
 * Starts the mock of this worker, and sets the environment variables that the config file names. Test files in
 * one process share the mock: a program that was loaded for one of them keeps its base URL for the next one.
 * @param root the directory of the framework's project
 */
export async function setUp(root: string): Promise<TestServer> {
  const { USERGROUP_MOCK_CONFIG: given } = process.env;
  const config = given === undefined ? findConfigFile(root) : resolve(given);
  if (config === undefined) {
    const searched = configDirectories(root).join("\n  ");
    throw new Error(`There is no usergroup-mock.config.json in\n  ${searched}\n${advice}`);
  }
  const set = { USERGROUP_MOCK_URL: "{url}", USERGROUP_MOCK_API_TOKEN: "{apiToken}" };
  const mock = await startMock({ config, set, port: 0, exitWithParent: false }).catch((error: Error) => {
    throw new Error(`${error.message}\n${advice}`);
  });
  // In a file without tests, no hook stops the mock.
  mock.unref();
  // startMock has validated the file.
  const named = configFile(config).options as Pick<MockOptions, "set">;
  const names = Object.keys({ ...set, ...named.set });
  const variables = Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
  const server = new TestServer({}, { server: mock, shared: { variables } });
  Reflect.set(globalThis, key, server);
  return server;
}

/** The mock that a set-up has started for this worker, if any. */
export function mockOfSetUp(options: MockOptions = {}): TestServer | undefined {
  const server: TestServer | undefined = Reflect.get(globalThis, key);
  if (server !== undefined) rejectOptions(options);
  return server;
}

/** The server for the tests of a file: that of the set-up, or one that is not started yet. */
export function serverOfFile(options: TestOptions): TestServer {
  const { server: serverOptions, checks } = readTestOptions(options);
  const server = mockOfSetUp(serverOptions) ?? new TestServer(serverOptions);
  server.checks = checks;
  return server;
}

/** Throws if an entry has options for a server that a set-up has started. */
export function rejectOptions(options: MockOptions): void {
  for (const name of Object.keys(options)) {
    throw new Error(`The set-up has already started the mock. Move ${name} to usergroup-mock.config.json.`);
  }
}
