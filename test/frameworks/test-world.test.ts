import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { addToError, rejectOtherVersions, TestWorld } from "../../src/frameworks/test-world.js";
import { create, getOrCreate } from "../call.js";

const testCalled = (name: string) =>
  ({ framework: "vitest", file: "some.test.ts", titles: ["suite", name] }) as const;

describe("addToError", () => {
  it.each([
    ["an error", { message: "bad", stack: "Error: bad\n    at a.js:1" }, "Error: bad+\n    at a.js:1"],
    ["a message of lines", { message: "a\nb", stack: "Error: a\nb\n    at x" }, "Error: a\nb+\n    at x"],
    [
      "a message that looks like a stack",
      { message: "x\n    at y", stack: "Error: x\n    at y\n    at a.js:1" },
      "Error: x\n    at y+\n    at a.js:1",
    ],
    ["no frames", { message: "bad", stack: "bad" }, "bad+"],
    [
      "a stack without the message",
      { message: "new", stack: "Error: old\n    at a" },
      "Error: old+\n    at a",
    ],
    ["no stack", { message: "bad" }, undefined],
  ])("adds text before the frames: %s", (_, error: { message: string; stack?: string }, stack) => {
    const { message } = error;
    addToError(error, "+");
    expect(error.stack).toBe(stack);
    expect(error.message).toBe(`${message}+`);
  });

  it("adds text before frames in a message, as Jest formats an assertion of Node", () => {
    const error = { message: "assert.equal\n\n    at a.js:1" };
    addToError(error, "+");
    expect(error.message).toBe("assert.equal+\n\n    at a.js:1");
  });

  it("makes an error of thrown text, with the frames of the place of the test", () => {
    const place = { message: "", stack: "Error\n    at a.js:1" };
    const error = addToError("timed out", "+", place);
    expect(error).toMatchObject({ message: "timed out+", stack: "timed out+\n    at a.js:1" });
    expect(addToError(undefined, "+")).toMatchObject({ message: "undefined+", stack: "undefined+" });
  });
});

describe("the world of a test", () => {
  let cwd: string;
  const before = process.cwd();
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "usergroup-mock-test-world-"));
    process.chdir(cwd);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(cwd, { recursive: true });
  });

  it("has the same name in every run, and a different name than that of another test with this title", async () => {
    await using mock = await startMock();
    const [one, two, again] = [
      new TestWorld(mock, "a.test 1", testCalled("rotates: a token?")).world,
      new TestWorld(mock, "a.test 2", testCalled("rotates: a token?")).world,
      new TestWorld(mock, "a.test 1", testCalled("rotates: a token?")).world,
    ];
    expect(one.name).toMatch(/^rotates-a-token--[0-9a-f]{8}$/);
    expect(two.name).not.toBe(one.name);
    expect(again.name).toBe(one.name);
  });

  it.each([
    ["an empty title", ""],
    ["an emoji as its title", "😀"],
    ["a title of 5,000 characters", "a".repeat(5_000)],
  ])("works for a test with %s", async (_, name) => {
    await using mock = await startMock();
    const { world } = await new TestWorld(mock, "id", testCalled(name)).begin();
    expect((await getOrCreate(world.url, { user_group_id: "a", name: "A" })).status).toBe(200);
  });

  it("keeps earlier attempts as history when the test is retried", async () => {
    await using mock = await startMock();
    const { world } = await new TestWorld(mock, "id", testCalled("flaky")).begin();
    await getOrCreate(world.url, { user_group_id: "a", name: "A" });
    const retry = await new TestWorld(mock, "id", testCalled("flaky")).begin();
    expect((await retry.explain(new Error("on purpose"), 2)).error.message).toMatch(
      /:\n {2}none of your requests reached the mock$/,
    );
    expect(await world.history()).toMatchObject([{ label: "flaky", requests: 1 }]);
  });

  it("removes the report of an earlier run when the test passes", async () => {
    await using mock = await startMock();
    const test = await new TestWorld(mock, "id", testCalled("passes")).begin();
    const report = join("usergroup-mock-report", `${test.world.name}.html`);
    mkdirSync("usergroup-mock-report", { recursive: true });
    writeFileSync(report, "of an earlier run");
    await test.end("passed", undefined, 1);
    expect(existsSync(report)).toBe(false);
  });

  it("prints and reports the requests of a failed test, and none of another world", async () => {
    await using mock = await startMock();
    const failing = await new TestWorld(mock, "id", testCalled("fails")).begin();
    const beside = await new TestWorld(mock, "another id", testCalled("runs beside it")).begin();
    await create(failing.world.url, "of-this-test");
    await create(beside.world.url, "of-another-test");
    await create(mock.url, "of-another-world");
    const failure = await failing.end("failed", new Error("on purpose"), 1);
    const report = readFileSync(failure?.report ?? expect.fail("no report"), "utf8");
    for (const text of [failure?.error.message, report]) {
      expect(text).toContain("of-this-test");
      expect(text).not.toMatch(/of-another-(test|world)/);
    }
  });

  it("prints the requests of a failed test even if the report cannot be saved, and the reason", async () => {
    await using mock = await startMock();
    const test = await new TestWorld(mock, "id", testCalled("fails")).begin();
    await getOrCreate(test.world.url, { user_group_id: "a", name: "A" });
    rmSync(join(cwd, "usergroup-mock-report"), { recursive: true, force: true });
    writeFileSync(join(cwd, "usergroup-mock-report"), "a file in the place of the folder");
    const failure = await test.end("failed", new Error("on purpose"), 1);
    expect(failure?.report).toBeUndefined();
    expect(failure?.error.message).toMatch(
      /The requests of this test \(no report: .*usergroup-mock-report.*\):\n {2}#1 GET \/api\/user/,
    );
  });
});

describe("refuseOtherVersions", () => {
  const check = (version?: string) => rejectOtherVersions("x 3.2 and 4", /^(3\.([2-9]|\d\d)|4)\./, version);

  it.each(["3.2.0", "3.10.1", "4.0.0-beta.1", "4.1.12", undefined, "workspace"])(
    "accepts version %s",
    (version) => {
      expect(() => check(version)).not.toThrow();
    },
  );

  it.each(["2.1.9", "3.1.4", "5.0.0", "40.0.0"])("rejects version %s with the supported range", (version) => {
    expect(() => check(version)).toThrow(
      `usergroup-mock works with x 3.2 and 4, but this is ${version}. Install one of these, or use startMock() in a hook.`,
    );
  });
});
