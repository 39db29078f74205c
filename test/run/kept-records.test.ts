import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeLost, KeptRecords } from "../../src/run/kept-records.js";
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
    expect(namesOf("requests")).toEqual(["requests-1-a.000000.jsonl", "requests-1-a.000001.jsonl"]);
    expect(idsIn("requests-1-a.000000.jsonl")).toEqual([1, 2]);
    expect(idsIn("requests-1-a.000001.jsonl")).toEqual([3]);
  });

  it("is its report in their place, when it stops", () => {
    const [one, other] = [new KeptRecords(folder, "1-a"), new KeptRecords(folder, "1-b")];
    for (const kept of [one, other]) kept.addRequest(requestLine(1));
    one.addReport(["a\n", "b\n"]);
    expect(namesOf("re")).toEqual(["report-1-a.jsonl", "requests-1-b.000000.jsonl"]);
    expect(describeLost(folder)).toEqual([]);
  });

  it("is its requests, and no part of its report, if that cannot be written", () => {
    const kept = new KeptRecords(folder, "1-a");
    kept.addRequest(requestLine(1));
    kept.addReport(failing("no space"));
    expect(namesOf("re")).toEqual(["requests-1-a.000000.jsonl"]);
    expect(describeLost(folder)).toEqual([
      `Groups, faults and assumptions of 1 mock could not be recorded in ${folder} (no space).`,
    ]);
  });

  it("has a request after one that could be written in part only", () => {
    const kept = new KeptRecords(folder, "1-a");
    const file = join(folder, "requests-1-a.000000.jsonl");
    mkdirSync(file);
    kept.addRequest(requestLine(1));
    rmdirSync(file);
    appendFileSync(file, '{"entry":{"i');
    for (const id of [2, 3]) kept.addRequest(requestLine(id));
    expect(idsIn("requests-1-a.000000.jsonl")).toEqual([2, 3]);
    expect(describeLost(folder)).toEqual([
      expect.stringMatching(/^1 request could not be recorded in \S+ \(EISDIR: /),
    ]);
  });
});

describe("what the mocks of a run could not record", () => {
  it("is counted over all mocks, with the first reason", () => {
    const [one, other] = [new KeptRecords(folder, "1-a"), new KeptRecords(folder, "2-b")];
    for (const mock of ["1-a", "2-b"]) mkdirSync(join(folder, `requests-${mock}.000000.jsonl`));
    for (const [kept, id] of [
      [one, 1],
      [one, 2],
      [other, 1],
    ] as const)
      kept.addRequest(requestLine(id));
    for (const kept of [one, other]) kept.addReport(failing("no space"));
    expect(describeLost(folder)).toEqual([
      expect.stringMatching(/^3 requests could not be recorded in \S+ \(EISDIR: /),
      expect.stringMatching(
        /^Groups, faults and assumptions of 2 mocks could not be recorded in \S+ \(EISDIR: /,
      ),
    ]);
  });

  it("is nothing of a mock that could only create an empty file", () => {
    writeFileSync(join(folder, "lost-1-a.json"), "");
    expect(describeLost(folder)).toEqual([]);
  });
});
