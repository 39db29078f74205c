import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, runCli } from "../cli-process.js";
import { runHere } from "./run-here.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-rejects-"));

/** Every start here uses a port that is in use, so another message shows that the port was not opened before. */
let occupant: Server;
let usedPort: string;
let connections = 0;

beforeAll(async () => {
  occupant = createServer(() => connections++);
  await new Promise<void>((resolve) => occupant.listen(0, "127.0.0.1", resolve));
  usedPort = String((occupant.address() as AddressInfo).port);
});

afterAll(() => {
  expect(connections).toBe(0);
  occupant.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function expectRejectedBeforeListening({ code, stdout, stderr }: Ended): void {
  expect(stderr).toMatch(/^usergroup-mock: /);
  expect(stderr).not.toMatch(/in use|EADDRINUSE/);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect([code, stdout]).toEqual([1, ""]);
}

describe("serve with an unknown name", () => {
  it.each(["--constructor", "--toString=1"])(
    "rejects a flag named like a property of every object: %s",
    async (flag) => {
      const ended = await runHere([flag, "--port", usedPort]);
      expectRejectedBeforeListening(ended);
      expect(ended.stderr).toContain(
        `Unknown argument: ${flag.slice(2).replace("=1", "")}. See usergroup-mock --help.`,
      );
    },
  );

  it("ignores the variables that Kubernetes sets for a service of this name", async () => {
    const env = {
      ...process.env,
      USERGROUP_MOCK_PORT: "tcp://10.0.0.7:4010",
      USERGROUP_MOCK_PORT_4010_TCP: "tcp://10.0.0.7:4010",
      USERGROUP_MOCK_PORT_4010_TCP_PROTO: "tcp",
      USERGROUP_MOCK_SERVICE_HOST: "10.0.0.7",
      USERGROUP_MOCK_SERVICE_PORT: "4010",
    };
    const { stderr } = await runHere(["--port", usedPort], { env });
    expect(stderr).toContain(`Port ${usedPort}`);
  });

  it.each([
    ["flag in camelCase", ["--bodyLimit", "1kb"], "bodyLimit", "--body-limit"],
    ["command", ["srve"], "srve", "serve"],
  ])("rejects a %s and suggests the closest match", async (_, args, wrong, near) => {
    const ended = await runHere([...args, "--port", usedPort]);
    expectRejectedBeforeListening(ended);
    expect(ended.stderr).toContain(wrong);
    expect(ended.stderr).toContain(`did you mean ${near}?`);
  });

  it("rejects assumptions with one line each", async () => {
    const wrong = ["--assume", "old-tokn=accepted", "--assume", "created-status=9"];
    const ended = await runHere([...wrong, "--port", usedPort]);
    expect(ended.stderr.split("\n")).toEqual([
      "usergroup-mock: Invalid options:",
      expect.stringContaining(
        "--assume old-tokn is not an assumption or a situation; did you mean old-token?",
      ),
      expect.stringContaining('--assume created-status must be "200" or "201"'),
      "",
    ]);
  });
});

describe("serve with a wrong number of arguments", () => {
  it.each([
    ["a flag without its value", ["--host"], /host/],
    ["a value for a switch", ["--exit-with-parent=maybe"], /exit-with-parent/],
    ["an argument after the command", ["serve", "now"], /now/],
  ])("prints a message: %s", async (_, args, words) => {
    const ended = await runHere(["--port", usedPort, ...args]);
    expectRejectedBeforeListening(ended);
    expect(ended.stderr).toMatch(words);
  });
});

describe("an invalid admin token", () => {
  it("is rejected without being repeated", async () => {
    const ended = await runHere(["--port", usedPort, "--admin-token", "hunter2 hunter3"]);
    expectRejectedBeforeListening(ended);
    expect(ended.stderr).toMatch(/--admin-token must be printable ASCII/);
    expect(ended.stderr).not.toContain("hunter");
  });
});

describe("a port in use", () => {
  it("is reported in one line that suggests --port 0", async () => {
    const { code, stdout, stderr } = await runCli(["--port", usedPort]);
    expect(stderr).toMatch(/^usergroup-mock: [^\n]+\n$/);
    expect(stderr).toContain(usedPort);
    expect(stderr).toContain("--port 0");
    expect([code, stdout]).toEqual([1, ""]);
  });
});

describe("invalid fixtures", () => {
  it("are reported with file, place and reason, and without their tokens", async () => {
    const token = "a".repeat(64);
    const fixture = file("fixture.json", {
      teams: [{ team_id: 1, api_tokens: ["one"] }],
      user_groups: [{ team_id: 2, provided_id: "g", name: "G", token }],
    });
    const missing = join(folder, "missing.json");
    const ended = await runHere(["--port", usedPort, "--fixtures", fixture, "--fixtures", missing]);
    expectRejectedBeforeListening(ended);
    expect(ended.stderr.split("\n").slice(1)).toEqual([
      `  ${missing}: there is no such file or folder`,
      `  ${fixture} /user_groups/0/team_id: no fixture lists team 2`,
      "",
    ]);
  });
});
