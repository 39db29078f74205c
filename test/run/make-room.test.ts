import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeRemoved, makeRoom } from "../../src/run/make-room.js";

it("a file from which requests are removed again counts all of them", () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-room-"));
  try {
    const older = join(folder, "requests-1.000000.jsonl");
    const newer = join(folder, "requests-1.000001.jsonl");
    writeFileSync(older, '{"removed":3}\n{"entry":{}}\n');
    writeFileSync(newer, "");
    // Takes no space on the disk.
    truncateSync(newer, 65_000_000);
    makeRoom(folder, newer);
    expect(readFileSync(older, "utf8").trim()).toBe('{"removed":4}');
    expect(describeRemoved(folder)[0]).toContain("Its oldest 4 requests cannot");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
