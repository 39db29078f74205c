import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addToError, refuseOtherVersions, TestWorld } from "../../src/frameworks/test-world.js";
import { startMock } from "../../src/mock/start-mock.js";
import { getOrCreate } from "../call.js";

const failedTest = {
  framework: "vitest",
  title: "suite > fails",
  file: "fails.test.ts",
  attempt: 1,
  error: new Error("on purpose"),
};

describe("text that is added to an error", () => {
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
  ])("stands before the frames: %s", (_, error: { message: string; stack?: string }, stack) => {
    const { message } = error;
    addToError(error, "+");
    expect(error.stack).toBe(stack);
    expect(error.message).toBe(`${message}+`);
  });

  it("stands before the frames of a message that has them, as Jest writes an assertion of Node", () => {
    const error = { message: "assert.equal\n\n    at a.js:1" };
    addToError(error, "+");
    expect(error.message).toBe("assert.equal+\n\n    at a.js:1");
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

  it("has the same name in every run, and another one than a test of the same name", async () => {
    await using mock = await startMock();
    const [one, two, again] = [
      new TestWorld(mock, "rotates: a token?", "a.test 1").world,
      new TestWorld(mock, "rotates: a token?", "a.test 2").world,
      new TestWorld(mock, "rotates: a token?", "a.test 1").world,
    ];
    expect(one.name).toMatch(/^rotates-a-token--[0-9a-f]{8}$/);
    expect(two.name).not.toBe(one.name);
    expect(again.name).toBe(one.name);
  });

  it.each(["", "😀", "a".repeat(5_000)])("can be that of a test called %j", async (name) => {
    await using mock = await startMock();
    const { world } = await new TestWorld(mock, name, "id").begin();
    expect((await getOrCreate(world.url, { user_group_id: "a", name: "A" })).status).toBe(200);
  });

  it("has the attempts before a retry as history", async () => {
    await using mock = await startMock();
    const { world } = await new TestWorld(mock, "flaky", "id").begin();
    await getOrCreate(world.url, { user_group_id: "a", name: "A" });
    const retry = await new TestWorld(mock, "flaky", "id").begin();
    expect((await retry.recordFailure(failedTest)).text).toMatch(
      /:\n {2}none of your requests reached the mock$/,
    );
    expect(await world.history()).toMatchObject([{ label: "flaky", requests: 1 }]);
  });

  it("removes the report that an earlier run has left when the test passes", async () => {
    await using mock = await startMock();
    const test = await new TestWorld(mock, "passes", "id").begin();
    const report = join("usergroup-mock-report", `${test.world.name}.html`);
    mkdirSync("usergroup-mock-report", { recursive: true });
    writeFileSync(report, "of an earlier run");
    await test.drop();
    expect(existsSync(report)).toBe(false);
  });

  it("says why its report could not be saved, and still tells its calls", async () => {
    await using mock = await startMock();
    const test = await new TestWorld(mock, "fails", "id").begin();
    await getOrCreate(test.world.url, { user_group_id: "a", name: "A" });
    rmSync(join(cwd, "usergroup-mock-report"), { recursive: true, force: true });
    writeFileSync(join(cwd, "usergroup-mock-report"), "a file in the place of the folder");
    const { text, report } = await test.recordFailure(failedTest);
    expect(report).toBeUndefined();
    expect(text).toMatch(
      /The requests of this test \(no report: .*usergroup-mock-report.*\):\n {2}#1 GET \/api\/user/,
    );
  });
});

describe("a version of a framework", () => {
  const check = (version?: string) => refuseOtherVersions("x 3.2 and 4", /^(3\.([2-9]|\d\d)|4)\./, version);

  it.each(["3.2.0", "3.10.1", "4.0.0-beta.1", "4.1.12", undefined, "workspace"])("%s passes", (version) => {
    expect(() => check(version)).not.toThrow();
  });

  it.each(["2.1.9", "3.1.4", "5.0.0", "40.0.0"])("%s is refused, with the range", (version) => {
    expect(() => check(version)).toThrow(
      `usergroup-mock works with x 3.2 and 4, and this is ${version}. Install one of these, or use startMock() in a hook.`,
    );
  });
});
