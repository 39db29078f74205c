import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mockServers, workersVariable } from "../../src/frameworks/playwright-setup.js";

vi.mock("node:child_process", () => ({ execFileSync: vi.fn() }));

const configFile = "usergroup-mock.config.json";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-playwright-setup-"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, configFile), "{}");
  for (const name of [workersVariable, "USERGROUP_MOCK_CONFIG"]) vi.stubEnv(name, undefined);
  const printed = { ...process.env, USERGROUP_MOCK_RUN: "/gone", USERGROUP_MOCK_URL: url(4100) };
  const set = { API_URLS: `${url(4100)} ${url(4100)}/api`, TOKEN: "t" };
  vi.mocked(execFileSync)
    .mockReset()
    .mockReturnValue(JSON.stringify({ ...printed, ...set }));
});
const { argv } = process;
afterEach(() => {
  process.argv = argv;
  vi.unstubAllEnvs();
});

const url = (port: number) => `http://127.0.0.1:${port}`;

describe("mockServers()", () => {
  it("sets the variables of the application for each worker, and none that was set before or names the run", () => {
    const of = (port: number) => ({
      USERGROUP_MOCK_URL: url(port),
      API_URLS: `${url(port)} ${url(port)}/api`,
      TOKEN: "t",
    });
    expect(mockServers({ workers: 2, port: 4100 }).map(({ env }) => env)).toEqual([of(4100), of(4101)]);
    const [, args] = vi.mocked(execFileSync).mock.calls[0] ?? [];
    expect(args?.join(" ")).toContain("exec --port 4100 --log silent -- ");
  });

  it("starts a mock of its own port for each worker, and waits until it responds", () => {
    const servers = mockServers({ workers: 2, port: 4100 }).map(({ webServer }) => webServer);
    expect(servers).toEqual(
      [4100, 4101].map((port) => ({
        command: expect.stringMatching(new RegExp(`usergroup-mock\\.cjs" --port ${port} --log silent$`)),
        url: `${url(port)}/__admin/health`,
        reuseExistingServer: false,
      })),
    );
  });

  it("asks for the variables once, though every worker loads the config", () => {
    const first = mockServers({ workers: 2, port: 4100 });
    expect(mockServers({ workers: 2, port: 4100 })).toEqual(first);
    expect(execFileSync).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["another number of workers", { workers: 1, port: 4100 }],
    ["another port", { workers: 2, port: 4200 }],
  ])("asks again for %s", (_, options) => {
    mockServers({ workers: 2, port: 4100 });
    mockServers(options);
    expect(execFileSync).toHaveBeenCalledTimes(2);
  });

  it.each([["--config"], ["-c"]])("uses the config file beside that of %s, in all mocks", (flag) => {
    process.argv = [...argv, flag, join(folder, "playwright.config.js")];
    mockServers();
    expect(process.env.USERGROUP_MOCK_CONFIG).toBe(join(folder, configFile));
  });

  it("uses the config file that the environment names", () => {
    vi.stubEnv("USERGROUP_MOCK_CONFIG", "own.json");
    process.argv = [...argv, "-c", folder];
    mockServers();
    expect(process.env.USERGROUP_MOCK_CONFIG).toBe("own.json");
  });
});
