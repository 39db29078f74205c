import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeNotKept, KeptRecords } from "../../src/run/kept-records.js";
import { readJsonLines } from "../../src/run/run-folder.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-kept-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const requestLine = (id: number) => `${JSON.stringify({ entry: { id } })}\n`;
const idsIn = (name: string) =>
  readJsonLines<{ entry: { id: number } }>(join(folder, name)).map(({ entry }) => entry.id);
const namesOf = (kind: string) => readdirSync(folder).filter((name) => name.startsWith(kind));

/** A file of more than 32 MB that takes no space on the disk. Returns its name. */
function writeLarge(name: string): string {
  writeFileSync(join(folder, name), "");
  truncateSync(join(folder, name), 32_000_001);
  return name;
}

/** A report that cannot be written. */
function* failing(message: string): Generator<string> {
  yield '{"world":"default"}\n';
  throw new Error(message);
}

describe("what a mock keeps for the report of a run", () => {
  it("is its requests, in a new file after each MB", () => {
    const kept = new KeptRecords(folder, "1-a");
    kept.addRequest(requestLine(1));
    kept.addRequest(`${JSON.stringify({ entry: { id: 2, padding: "x".repeat(1_000_000) } })}\n`);
    kept.addRequest(requestLine(3));
    expect(namesOf("requests")).toEqual(["requests-1-a.000001.jsonl", "requests-1-a.000002.jsonl"]);
    expect(idsIn("requests-1-a.000001.jsonl")).toEqual([1, 2]);
    expect(idsIn("requests-1-a.000002.jsonl")).toEqual([3]);
  });

  it("is its report in their place, when it stops", () => {
    const [one, other] = [new KeptRecords(folder, "1-a"), new KeptRecords(folder, "1-b")];
    for (const kept of [one, other]) kept.addRequest(requestLine(1));
    one.addReport(["a\n", "b\n"]);
    expect(namesOf("re")).toEqual(["report-1-a.jsonl", "requests-1-b.000001.jsonl"]);
    expect(describeNotKept(folder)).toEqual([]);
  });

  it("is its requests, and no part of its report, if that cannot be written", () => {
    const kept = new KeptRecords(folder, "1-a");
    kept.addRequest(requestLine(1));
    kept.addReport(failing("no space"));
    expect(namesOf("re")).toEqual(["requests-1-a.000001.jsonl"]);
    expect(describeNotKept(folder)).toEqual([
      `Groups, faults and assumptions of 1 mock could not be recorded in ${folder} (no space).`,
    ]);
  });

  it("has no request after one that did not fit, which may have been written in part", () => {
    const kept = new KeptRecords(folder, "1-a");
    const file = join(folder, "requests-1-a.000001.jsonl");
    mkdirSync(file);
    kept.addRequest(requestLine(1));
    rmdirSync(file);
    for (const id of [2, 3]) kept.addRequest(requestLine(id));
    expect(namesOf("requests")).toEqual([]);
    expect(describeNotKept(folder)).toEqual([
      expect.stringMatching(/^3 requests could not be recorded in \S+ \(EISDIR: /),
    ]);
  });

  it("is 32 MB of requests at most, with those of all mocks of the run", () => {
    const kept = new KeptRecords(folder, "1-a");
    const other = writeLarge("requests-1-b.000001.jsonl");
    for (const id of [1, 2]) kept.addRequest(requestLine(id));
    expect(namesOf("requests")).toEqual([other]);
    expect(describeNotKept(folder)).toEqual([
      `2 requests could not be recorded in ${folder} (a run keeps at most 32 MB of each kind).`,
    ]);
    kept.addReport(["a\n"]);
    expect(namesOf("report")).toEqual(["report-1-a.jsonl"]);
    // Its report has them.
    expect(describeNotKept(folder)).toEqual([]);
  });

  it("is 32 MB of reports at most, and then its requests", () => {
    const kept = new KeptRecords(folder, "1-a");
    const other = writeLarge("report-1-b.jsonl");
    kept.addRequest(requestLine(1));
    kept.addReport(["a\n"]);
    expect(namesOf("re")).toEqual([other, "requests-1-a.000001.jsonl"]);
    expect(describeNotKept(folder)).toEqual([
      `Groups, faults and assumptions of 1 mock could not be recorded in ${folder} (a run keeps at most 32 MB of each kind).`,
    ]);
  });
});

describe("what the mocks of a run have not kept", () => {
  it("is counted over all mocks, with the first reason", () => {
    const [one, other] = [new KeptRecords(folder, "1-a"), new KeptRecords(folder, "2-b")];
    for (const mock of ["1-a", "2-b"]) mkdirSync(join(folder, `requests-${mock}.000001.jsonl`));
    for (const [kept, id] of [
      [one, 1],
      [one, 2],
      [other, 1],
    ] as const)
      kept.addRequest(requestLine(id));
    for (const kept of [one, other]) kept.addReport(failing("no space"));
    expect(describeNotKept(folder)).toEqual([
      expect.stringMatching(/^3 requests could not be recorded in \S+ \(EISDIR: /),
      expect.stringMatching(
        /^Groups, faults and assumptions of 2 mocks could not be recorded in \S+ \(EISDIR: /,
      ),
    ]);
  });

  it("may be anything of a mock that could only create an empty file", () => {
    writeFileSync(join(folder, "not-kept-1-a.json"), "");
    expect(describeNotKept(folder)).toEqual([
      `Requests of 1 mock may be missing: nothing could be written to ${folder}.`,
    ]);
  });
});
