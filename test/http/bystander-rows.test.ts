import { afterAll, afterEach, beforeAll, describe, expect, vi } from "vitest";
import { type CliProcess, startCli } from "../cli-process.js";
import { isLong } from "../long.js";
import { Bystander, bystanderBound } from "./bystander.js";

/*
 * The tests of bad input once more, with a bystander: while a row is sent, its calls in another world are answered in
 * time. Here the mock of these tests is a process of its own, so that the bystander waits for the mock, not for them.
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

/** Some of the tests read what the mock prints, as if it were in their process. */
function forward(text: Buffer): void {
  if (!vi.isMockFunction(process.stdout.write)) return;
  const lines = text.toString().split("\n");
  process.stdout.write(lines.filter((line) => !line.includes('"world":"bystander"')).join("\n"));
}

describe("a bystander is answered in time while somebody sends", () => {
  afterEach(async () => {
    const slowest = await bystander.slowest();
    expect(slowest, "the slowest call of the bystander, in ms").toBeLessThan(bystanderBound);
  });

  describe("rows of raw-body.test.ts", async () => {
    await import("./raw-body.test.js");
  });
  if (!isLong) return;
  describe("rows of raw.test.ts", async () => {
    await import("./raw.test.js");
  });
  describe("rows of raw-edge-cases.test.ts", async () => {
    await import("./raw-edge-cases.test.js");
  });
  describe("rows of admin-bad-input.test.ts", async () => {
    await import("./admin-bad-input.test.js");
  });
});
