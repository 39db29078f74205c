import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KnownSituations, type Mock, startMock } from "../../../src/index.js";
import { runHere } from "../../cli/run-here.js";
import { startCli } from "../../cli-process.js";
import { startKnowing } from "./asking.js";
import { fakeService } from "./fake-service.js";

const folder = mkdtempSync(join(tmpdir(), "verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tokens = ["--api-token", "test-api-token", "--second-api-token", "other-api-token"];
const verify = (url: string, ...flags: string[]) =>
  runHere(["verify", "--against", url, ...tokens, "--yes", ...flags], { cwd: folder });

interface Written {
  readonly verified: { readonly against: string; readonly on: string; readonly broken?: string[] };
  readonly situations: KnownSituations;
}

const read = (file: string): Written => JSON.parse(readFileSync(join(folder, file), "utf8"));
const write = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value));

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
  return () => mock.stop();
});

describe("verify rejects", () => {
  it.each([
    ["a URL without scheme", ["--against", "localhost:4010"], "Pass --against https://service.example"],
    ["the path of the operation", ["--against", "http://localhost/api/user"], "without /api/user"],
    ["a header that it sends itself", ["--header", "Authorization: x"], "--header cannot set Authorization"],
    ["a header without a value", ["--header", "X-Key"], 'Pass --header "Name: value"'],
    ["--all without --expect", ["--all"], "--all needs --expect"],
    ["a profile that is not there", ["--expect", "missing.json"], "there is no such file"],
    ["a profile without situations", ["--expect", "empty.json"], "has no situations"],
    ["an unknown situation", ["--expect", "wrong.json"], "is not a situation"],
    ["--out that is a folder", ["--out", "."], "is not a regular file"],
  ])("%s, with exit code 2 and one message", async (_, flags, message) => {
    write("empty.json", { verified: {} });
    write("wrong.json", { situations: { "name: nul": "accepted" } });
    const { code, stdout, stderr } = await runHere(
      ["verify", "--against", "http://127.0.0.1:9", "--api-token", "x", ...flags],
      { cwd: folder },
    );
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  it("to send anything without --yes, and says what it would send", async () => {
    const before = (await mock.requests()).length;
    const { code, stdout } = await runHere(["verify", "--against", mock.url, ...tokens], { cwd: folder });
    expect(code).toBe(2);
    expect(stdout).toContain("at most 200 requests, which create at most 50 user groups");
    expect((await mock.requests()).length).toBe(before);
  });

  it("a service that cannot be reached, and keeps the file", async () => {
    write("kept.json", { situations: { gzip: "accepted" } });
    const { code, stderr } = await verify("http://127.0.0.1:9", "--out", "kept.json");
    expect(code).toBe(2);
    expect(stderr).toContain("verify cannot start with http://127.0.0.1:9");
    expect(read("kept.json")).toEqual({ situations: { gzip: "accepted" } });
  });
});

describe("verify --out", () => {
  it("writes a profile with which nothing has changed, each situation on one line", async () => {
    const { code, stdout, stderr } = await verify(mock.url, "--out", "profile.json");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/begin with ugm-\w{6}\.\n.*written/s)]);
    expect(stdout).toMatch(/The mock responded as the service to (\d+) of \1 further requests\./);
    expect(stdout).toMatch(
      /\d+ of \d+ situations that verify can ask are known; \d+ were not asked \(nothing to ask: \d+.*\)\./,
    );
    const text = readFileSync(join(folder, "profile.json"), "utf8");
    expect(text).toMatch(/^ {4}"name: number": \{ "status": 400, .*\},$/m);
    expect(read("profile.json").verified.against).toBe(mock.url);
    expect((await verify(mock.url, "--expect", "profile.json")).code).toBe(0);
    expect((await verify(mock.url, "--expect", "profile.json", "--all")).code).toBe(0);
  });

  it("keeps what a person wrote, and names what it replaces", async () => {
    const because = "ticket 42";
    write("mine.json", {
      situations: {
        "user_group_id: other type": "accepted",
        "name: number": { outcome: "accepted", because },
        gzip: { outcome: "accepted", because },
      },
    });
    const { stderr } = await verify(mock.url, "--out", "mine.json");
    expect(stderr).toContain("mine.json: replaced name: number");
    const { situations } = read("mine.json");
    expect(situations["user_group_id: other type"]).toBe("accepted");
    expect(situations["name: number"]).toMatchObject({ status: 400, because });
    expect(situations.gzip).toEqual({ outcome: "accepted", because });
  });

  it("with --expect replaces the changed lines only", async () => {
    await using before = await startKnowing({});
    await verify(before.url, "--out", "state.json");
    const lines = readFileSync(join(folder, "state.json"), "utf8").split("\n");
    await using after = await startKnowing({
      "current_token: previous": {
        status: 410,
        body: { success: 0, error: { code: "gone", message: "gone" } },
      },
    });
    const { code, stdout } = await verify(after.url, "--expect", "state.json", "--out", "state.json");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "current_token: previous: document –, profile status 404, service now status 410",
    );
    const now = readFileSync(join(folder, "state.json"), "utf8").split("\n");
    const changed = now.filter((line) => !lines.includes(line)).map((line) => line.trim().split('":')[0]);
    // The mock gives this response to all rejections with the same code; those of the others refer to these.
    const rows = ["unknown", "of the other team", "previous"];
    expect(changed).toEqual(['"verified', ...rows.map((row) => `"current_token: ${row}`)]);
  });

  it("with --expect writes what is green in the next run, also where many situations have one response", async () => {
    const response = (message: string) => ({
      "name: null": { status: 400, body: { success: 0, [message]: "x" } },
    });
    await using before = await startKnowing(response("before"));
    await verify(before.url, "--out", "whole.json");
    await using after = await startKnowing(response("after"));
    const expected = ["--expect", "whole.json"];
    expect((await verify(after.url, ...expected, "--out", "whole.json")).code).toBe(1);
    expect(await verify(after.url, ...expected)).toMatchObject({ code: 0 });
  });
});

describe("verify --expect", () => {
  it("finds a machine-readable code that has changed, and no other text", async () => {
    const gone = (code: string, message: string) => ({
      "current_token: unknown": { status: 404, body: { success: 0, code, message } },
    });
    await using before = await startKnowing(gone("TOKEN_GONE", "first text"));
    await verify(before.url, "--out", "codes.json");
    await using reworded = await startKnowing(gone("TOKEN_GONE", "second text"));
    expect((await verify(reworded.url, "--expect", "codes.json")).code).toBe(0);
    await using renamed = await startKnowing(gone("TOKEN_UNKNOWN", "first text"));
    const { code, stdout } = await verify(renamed.url, "--expect", "codes.json");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "current_token: unknown: document –, profile code TOKEN_GONE, service now code TOKEN_UNKNOWN",
    );
  });

  it("takes several files, the later one first, and ends with 2 if a situation of them was not asked", async () => {
    await verify(mock.url, "--out", "first.json");
    write("second.json", { situations: { gzip: { status: 415 } } });
    const { code, stdout } = await verify(mock.url, "--expect", "first.json", "--expect", "second.json");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("gzip: document –, profile rejected (415), service now accepted"),
    ]);
    const { verified, situations } = read("first.json");
    write("third.json", {
      verified,
      situations: { ...situations, "existing group: name long": { over: 5 } },
    });
    const missing = await verify(mock.url, "--expect", "third.json");
    expect([missing.code, missing.stdout]).toEqual([
      2,
      expect.stringContaining("not compared: existing group: name long"),
    ]);
    write("fourth.json", {
      verified,
      situations: { ...situations, "existing group: name long": { over: 5, because: "by hand" } },
    });
    expect((await verify(mock.url, "--expect", "fourth.json")).code).toBe(0);
  });

  it("leaves about five groups", async () => {
    await using service = await startMock();
    await verify(service.url, "--out", "night.json");
    const before = (await service.groups()).length;
    await verify(service.url, "--expect", "night.json");
    expect((await service.groups()).length - before).toBeLessThanOrEqual(5);
  });
});

describe("verify ends with 1", () => {
  it("if a documented fact does not hold, and says which", async () => {
    await using service = await fakeService({
      after: (response) => ({
        ...response,
        body: { ...Object(response.body), success: Object(response.body).success ?? 7 },
      }),
      before: ({ json }) => (json.name === true ? { status: 422, body: { success: 7 } } : undefined),
    });
    const { code, stdout } = await verify(service.url, "--out", "broken.json");
    expect(code).toBe(1);
    expect(stdout).toContain(
      'failure: a failed request returns success "0 when the call was not successful", but success was 7',
    );
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("Exit code 1: a documented fact does not hold.");
    expect(read("broken.json").verified.broken).toEqual(["failure"]);
    expect((await verify(service.url, "--expect", "broken.json")).code).toBe(0);
  });

  it("if a group of somebody else was rotated, which it says first", async () => {
    await using service = await fakeService({
      others: ["somebody"],
      rotatesWithout: ({ json }) => json.current_token === null,
    });
    const { code, stdout } = await verify(service.url, "--out", "foreign.json");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^The service rotated the token of a group that verify did not create: "somebody"/,
    );
    expect(read("foreign.json").verified.broken).toContain("current_token: null");
    expect(read("foreign.json").situations).not.toHaveProperty(["current_token: null"]);
    const again = await verify(service.url, "--out", "foreign.json");
    expect(again.stdout).not.toContain("somebody");
    expect(read("foreign.json").verified.broken).toContain("current_token: null");
  });

  it("if the mock accepts what the service rejects, which it shows before other differences", async () => {
    // The second of the further requests has this mapping, whatever is drawn. Nothing else of a run has it.
    await using service = await fakeService({
      before: ({ json }) =>
        JSON.stringify(json.mapping) === '{"7":"x y"}'
          ? { status: 422, body: { success: 0, error: "no white space" } }
          : undefined,
    });
    const { code, stdout } = await verify(service.url);
    expect(stdout).toContain(
      "The mock accepts what the service rejects, so tests could pass and production fail:",
    );
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      "Exit code 1: the mock accepts what the service rejects.",
    ]);
  });
});

it("verify ends with 2 if a situation stays without a response, and writes the others", async () => {
  await using service = await fakeService({
    before: ({ json }, res) => {
      const isOdd = typeof json.name === "boolean";
      if (isOdd) res.destroy();
      return isOdd || undefined;
    },
  });
  const { code, stdout } = await verify(service.url, "--out", "open.json");
  expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([
    2,
    "Exit code 2: no response for name: boolean.",
  ]);
  expect(read("open.json").situations).toHaveProperty(["name: number"]);
  expect(read("open.json").situations).not.toHaveProperty(["name: boolean"]);
});

describe("the output of verify", () => {
  it("has every situation with -v", async () => {
    const { stdout } = await verify(mock.url, "-v");
    expect(stdout).toContain("  current_token: previous: {");
    expect(stdout).toContain("  mapping: other type: not asked");
  });

  it("is JSON with --json, and nothing else", async () => {
    const { stdout } = await verify(mock.url, "--json");
    const { situations, notAsked, further, changes } = JSON.parse(stdout);
    expect(situations["name: boolean"]).toBe("rejected");
    expect(notAsked["existing group: name long"]).toContain("name: long");
    expect([further.different, changes]).toEqual([[], null]);
  });

  it("escapes control and bidirectional characters of the service, also in JSON and in the profile", async () => {
    const error = "a\u009bb\u202ec\u2028d";
    await using service = await fakeService({
      after: (response) =>
        Object(response.body).success === 1 ? response : { ...response, body: { success: 0, error } },
    });
    for (const flags of [["-v"], ["--json"], ["--out", "odd.json"]]) {
      const { stdout } = await verify(service.url, ...flags);
      expect(stdout).not.toMatch(/[\u009b\u202e\u2028]/);
    }
    const text = readFileSync(join(folder, "odd.json"), "utf8");
    expect(text).toContain("a\\u009bb\\u202ec\\u2028d");
    expect(text).not.toMatch(/[\u009b\u202e\u2028]/);
  });

  it("never has an API token or the value of a header", async () => {
    await using service = await fakeService({
      after: (response, { headers }) => ({ ...response, body: { ...Object(response.body), seen: headers } }),
    });
    const { stdout, stderr } = await verify(
      service.url,
      "-v",
      "--header",
      "X-Gateway: gateway-key",
      "--out",
      "echo.json",
    );
    const text = stdout + stderr + readFileSync(join(folder, "echo.json"), "utf8");
    for (const secret of ["test-api-token", "other-api-token", "gateway-key"])
      expect(text).not.toContain(secret);
    expect(service.requests.every(({ headers }) => headers["x-gateway"] === "gateway-key")).toBe(true);
    expect(service.requests.every(({ headers }) => headers.accept === "*/*")).toBe(true);
  });
});

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s prints the prefix and what was learned, and keeps the file", async (signal, exitCode) => {
  let stop = () => {};
  await using service = await fakeService({
    before: ({ json }) => {
      if (typeof json.name === "number") stop();
      return undefined;
    },
  });
  write("kept.json", { situations: { gzip: "accepted" } });
  const args = ["verify", "--against", service.url, ...tokens, "--yes", "--out", "kept.json"];
  await using command = startCli(args, { cwd: folder });
  stop = () => command.child.kill(signal);
  const { code } = await command.exited;
  expect(code).toBe(exitCode);
  expect(command.stdout()).toMatch(
    /Interrupted after \d+ requests\. Nothing was written\. .* begin with ugm-\w{6}\./,
  );
  expect(read("kept.json")).toEqual({ situations: { gzip: "accepted" } });
});
