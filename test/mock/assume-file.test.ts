import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startMock, type World } from "../../src/index.js";
import { defaultAssumptions } from "../../src/service/assumptions.js";
import { runHere } from "../cli/run-here.js";
import { refusalOf } from "../world/refusal.js";

const begun = { ...defaultAssumptions, "created-status": "201", "old-token": "accepted" };

const valuesIn = async (world: World) =>
  Object.fromEntries((await world.assumptions()).map(({ id, value }) => [id, value]));

describe.concurrent("--assume-file", () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-assume-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it("sets the initial assumptions of the server and of each world", async () => {
    const assumeFile = file("good.json", '{"old-token": "accepted", "created-status": "201"}');
    await using mock = await startMock({ assumeFile });
    expect(await valuesIn(mock.world("w3"))).toEqual(begun);
    await mock.assume({ "old-token": "rejected" });
    await mock.reset();
    expect(await valuesIn(mock)).toEqual(begun);
  });

  it("is overridden by --assume", async () => {
    const assumeFile = file("overridden.json", '{"old-token": "accepted", "created-status": "201"}');
    await using mock = await startMock({ assumeFile, assume: { "old-token": "rejected" } });
    expect(await valuesIn(mock)).toEqual({ ...defaultAssumptions, "created-status": "201" });
  });

  const wrong: readonly (readonly [what: string, path: string, words: RegExp])[] = [
    ["a missing file", join(folder, "none.json"), /cannot be read: .*none\.json/],
    ["a directory", folder, /cannot be read/],
    ["a file that is not JSON", file("text.json", "old-token=accepted"), /cannot be read: .*JSON/],
    ["an empty file", file("empty.json", ""), /cannot be read: .*JSON/],
    ["a JSON list", file("list.json", '["old-token"]'), /must be a JSON object of ids and values/],
    ["JSON null", file("null.json", "null"), /must be a JSON object of ids and values/],
    [
      "an unknown assumption",
      file("id.json", '{"old-tokn": "accepted", "created-status": "202"}'),
      /no assumption old-tokn; did you mean old-token\?.*"202" is not a value of created-status/s,
    ],
    ["an unknown value", file("value.json", '{"old-token": "yes"}'), /use rejected or accepted/],
    ["null as a value", file("unset.json", '{"old-token": null}'), /null is not a value of old-token/],
  ];

  it.each(wrong)("rejects %s in startMock, with the path and the reason", async (_, assumeFile, words) => {
    const { code, message } = await refusalOf(startMock({ assumeFile }));
    expect(code).toBe("invalid_option");
    expect(message).toContain("assumeFile");
    expect(message).toContain(assumeFile);
    expect(message).toMatch(words);
  });

  it.each(wrong)("rejects %s on the command line, with the reason", async (_, assumeFile, words) => {
    const { code, stdout, stderr } = await runHere(["--port", "0", "--assume-file", assumeFile]);
    expect(stderr).toContain("--assume-file");
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect([code, stdout]).toEqual([1, ""]);
  });
});
