import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeRemoved, makeRoom } from "../../src/run/make-room.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-room-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file that takes no space on the disk. */
function writeLarge(name: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return path;
}

/** A file that was written at this second. */
function writeAt(second: number, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  utimesSync(path, second, second);
  return path;
}

const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const request = { entry: {} };

describe("a run that keeps too much for its report", () => {
  it("counts all requests of a file from which some are removed again", () => {
    const older = writeAt(1, "requests-1.000000.jsonl", lines({ removed: 3 }, request));
    makeRoom(folder, writeLarge("requests-1.000001.jsonl", 65_000_000));
    expect(readFileSync(older, "utf8").trim()).toBe('{"removed":4}');
    expect(describeRemoved(folder)[0]).toContain("Its oldest 4 requests cannot");
  });

  it("removes requests of its oldest files, and no more than it has to", () => {
    const text = lines(...Array.from({ length: 100 }, () => request));
    const newer = writeAt(2, "requests-1.000000.jsonl", text);
    const oldest = writeAt(1, "requests-2.000000.jsonl", text);
    makeRoom(folder, writeLarge("requests-3.000000.jsonl", 64_000_000 - text.length - 100));
    expect(readFileSync(oldest, "utf8").trim()).toBe('{"removed":100}');
    expect(readFileSync(newer, "utf8")).toBe(text);
    expect(describeRemoved(folder)).toEqual([
      "A run keeps at most 64 MB for its report. Its oldest 100 requests cannot be included.",
    ]);
  });

  it("removes the requests of a report and their texts, and leaves everything else", () => {
    const target = "/requests?epoch=1";
    const others = [
      { world: "w", target, of: "requests", value: { requests: [], dropped: 0 } },
      { world: "w", target: "/groups", list: "groups", value: {} },
      { world: "", target: "", value: { leftOut: [] } },
    ];
    const requests = [
      { world: "w", target, of: "requests", list: "requests", value: {} },
      { world: "w", target: "/requests/1/body?epoch=1", of: "texts", value: {} },
    ];
    const report = writeAt(1, "report-1.jsonl", lines(...requests, ...others));
    makeRoom(folder, writeLarge("requests-2.000000.jsonl", 65_000_000));
    expect(readFileSync(report, "utf8").trim()).toBe(lines({ removed: 1 }, ...others).trim());
  });

  it("leaves the file that is being written as it is", () => {
    const large = writeLarge("requests-1.000000.jsonl", 65_000_000);
    makeRoom(folder, large);
    expect(statSync(large).size).toBe(65_000_000);
  });

  it("leaves everything as it is if there is room", () => {
    const text = lines(request);
    const older = writeAt(1, "requests-1.000000.jsonl", text);
    makeRoom(folder, writeLarge("requests-2.000000.jsonl", 64_000_000 - text.length));
    expect(readFileSync(older, "utf8")).toBe(text);
    expect(describeRemoved(folder)).toEqual([]);
  });
});
