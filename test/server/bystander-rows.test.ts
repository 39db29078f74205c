import { afterAll, afterEach, beforeAll, describe, expect, vi } from "vitest";
import { type CliProcess, startCli } from "../cli-process.js";
import { isLong } from "../long.js";
import { Bystander, bystanderBound } from "./bystander.js";

/*
 * Runs the tests of bad input again with a bystander, a client in another world that must not wait for them. The mock is
 * a separate process here, so that the bystander waits for the mock and not for the tests.
 */
vi.mock("../../src/index.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/index.js")>();
  const startMock = async () => {
    const mock = await original.connectMock(await server.ready);
    await mock.reset();
    return { ...mock, stop: async () => {} };
  };
  return { ...original, startMock };
});

let server: CliProcess;
let bystander: Bystander;
beforeAll(async () => {
  server = startCli(["--port", "0", "--log", "json"]);
  for (const output of [server.child.stdout, server.child.stderr]) output?.on("data", forward);
  bystander = await Bystander.start(await server.ready, server.child.pid);
});
afterAll(async () => {
  await bystander.stop();
  await server[Symbol.asyncDispose]();
});

/** Some tests read what the mock prints in their own process. */
function forward(text: Buffer): void {
  if (!vi.isMockFunction(process.stdout.write)) return;
  const lines = text.toString().split("\n");
  process.stdout.write(lines.filter((line) => !line.includes('"world":"bystander"')).join("\n"));
}

describe("a client in another world gets its responses in time during", () => {
  afterEach(async () => {
    const slowest = await bystander.slowest();
    expect(slowest, "the slowest request of the bystander, in ms").toBeLessThan(bystanderBound);
  });

  describe("raw-body.test.ts", async () => {
    await import("./raw-body.test.js");
  });
  if (!isLong) return;
  describe("raw.test.ts", async () => {
    await import("./raw.test.js");
  });
  describe("raw-edge-cases.test.ts", async () => {
    await import("./raw-edge-cases.test.js");
  });
  describe("admin-bad-input.test.ts", async () => {
    await import("./admin-bad-input.test.js");
  });
});
