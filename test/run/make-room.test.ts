import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describeRemoved, makeRoom } from "../../src/run/make-room.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "usergroup-mock-room-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A run that keeps too much: this file, and a newer one that is being written. Returns what is left of the file. */
function removeFrom(name: string, text: string): string {
  const older = join(folder, name);
  const newer = join(folder, "requests-1.000001.jsonl");
  writeFileSync(older, text);
  writeFileSync(newer, "");
  // Takes no space on the disk.
  truncateSync(newer, 65_000_000);
  makeRoom(folder, newer);
  return readFileSync(older, "utf8").trim();
}

it("a file from which requests are removed again counts all of them", () => {
  expect(removeFrom("requests-1.000000.jsonl", '{"removed":3}\n{"entry":{}}\n')).toBe('{"removed":4}');
  expect(describeRemoved(folder)[0]).toContain("Its oldest 4 requests cannot");
});

it("a report loses its requests with their texts, and keeps everything else", () => {
  const line = (part: object) => JSON.stringify({ world: "default", ...part });
  const groups = line({ target: "/groups", list: "groups", value: { name: "/body" } });
  const request = line({ target: "/requests?epoch=1", of: "requests", list: "requests", value: { id: 1 } });
  const texts = line({ target: "/requests/1/body?epoch=1", of: "texts", value: { request: "{}" } });
  const kept = removeFrom("report-1.jsonl", [groups, request, texts].join("\n"));
  expect(kept.split("\n")).toEqual(['{"removed":1}', groups]);
});
