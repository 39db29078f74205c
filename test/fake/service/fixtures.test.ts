import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, MockError, startMock } from "../../../src/index.js";
import { getOrCreate } from "../../call.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fixtures-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

/** The problems that a start with these fixtures reports: file name in the folder, JSON pointer, reason. */
const findProblems = async (...fixtures: (string | Fixture)[]) => {
  const error = await startMock({ fixtures }).then(
    (mock) => mock.stop().then(() => undefined),
    (error: unknown) => error,
  );
  if (!(error instanceof MockError))
    throw new Error("started, or failed with another error", { cause: error });
  expect(error.code).toBe("invalid_fixture");
  for (const { message } of error.details) expect(error.message).toContain(message);
  const local = (text = "") => text.replaceAll(`${folder}/`, "").replaceAll(folder, ".");
  return error.details.map(({ file, path, message }) => `${local(file)} ${path} ${local(message)}`);
};

const team = (team_id: number, ...api_tokens: string[]) => ({ team_id, api_tokens });
const group = (team_id: number, provided_id: string, token?: string) => ({
  team_id,
  provided_id,
  name: provided_id,
  ...(token !== undefined && { token }),
});

describe("fixtures", () => {
  it("can be files, folders and objects at the same time", async () => {
    mkdirSync(join(folder, "more"));
    write("more/b.json", { user_groups: [group(1, "b")] });
    write("more/a.json", { user_groups: [group(2, "a")] });
    write("more/ignored.txt", "not JSON");
    const file = write("teams.json", `\uFEFF${JSON.stringify({ teams: [team(1, "one"), team(2, "two")] })}`);
    const given = { teams: [team(1, "uno")], user_groups: [group(1, "c", "token-c")] };
    await using mock = await startMock({ fixtures: [file, join(folder, "more"), given] });
    expect(mock.apiToken).toBe("one");
    const { teams, user_groups } = await mock.state();
    expect(teams).toEqual([team(1, "one", "uno"), team(2, "two")]);
    expect(user_groups?.map(({ provided_id }) => provided_id)).toEqual(["a", "b", "c"]);
    expect(user_groups?.[2]).toMatchObject(group(1, "c", "token-c"));
    for (const apiToken of ["one", "uno"]) {
      expect((await getOrCreate(mock.url, { user_group_id: "b" }, { apiToken })).status).toBe(200);
    }
  });

  it("are rejected with every problem of every file: file, place and reason", async () => {
    const teams = write("teams.json", { teams: [team(1, "one"), team(2, "two", "one")] });
    const broken = write("broken.json", '{\n  "teams": [,]\n}');
    const wrong = write("wrong.json", {
      user_groups: [{ team_id: 1, provided_id: "a", name: 5, tokn: "x" }],
    });
    const twice = write("twice.json", {
      user_groups: [group(1, "a", "t1"), group(1, "a"), group(2, "a", "t1"), group(3, "a")],
    });
    const empty = join(folder, "empty");
    mkdirSync(empty);
    const missing = join(folder, "missing.json");
    expect(await findProblems(teams, broken, wrong, twice, empty, missing)).toEqual([
      expect.stringMatching(/^broken\.json {2}is not JSON: Unexpected token ','/),
      "wrong.json /user_groups/0/tokn is not a known field; did you mean token?",
      "wrong.json /user_groups/0/name must be string",
      "empty  this folder contains no .json files",
      "missing.json  there is no such file or folder",
      "teams.json /teams/1/api_tokens/1 repeats an API token of teams.json /teams/0",
      "twice.json /user_groups/1 repeats the team and provided_id of twice.json /user_groups/0",
      "twice.json /user_groups/2/token repeats the token of twice.json /user_groups/0",
      "twice.json /user_groups/3/team_id no fixture lists team 3",
    ]);
  });

  it("are rejected if no team has an API token", async () => {
    expect(await findProblems({ teams: [team(1)] })).toEqual([
      expect.stringMatching(/\/teams at least one team must have an API token$/),
    ]);
  });

  it("accept an empty id and name, and properties of every type, as an exported state may have them", async () => {
    const group = { team_id: 1, provided_id: "", name: "", properties: { a: { b: null } } };
    await using mock = await startMock({ fixtures: { teams: [team(1, "t")], user_groups: [group] } });
    expect((await mock.state()).user_groups?.[0]).toMatchObject(group);
  });

  it("that are objects are numbered in messages if there are several", async () => {
    const wrong = { teams: 1 } as unknown as Fixture;
    expect(await findProblems(wrong)).toEqual(["the given fixture /teams must be array"]);
    expect(await findProblems({ teams: [team(1, "t")] }, wrong)).toEqual(["fixture 2 /teams must be array"]);
  });

  it("of a folder are read in the order of their file names", async () => {
    for (const name of ["c", "a", "b", "10", "9"]) write(`${name}.json`, { teams: [team(1, name)] });
    await using mock = await startMock({ fixtures: folder });
    expect((await mock.state()).teams).toEqual([team(1, "10", "9", "a", "b", "c")]);
  });

  it("that cannot be read are rejected with the reason", async () => {
    symlinkSync(join(folder, "loop.json"), join(folder, "loop.json"));
    const [problem] = await findProblems(join(folder, "loop.json"));
    expect(problem).toMatch(/^loop\.json {2}ELOOP: /);
    mkdirSync(join(folder, "inner/folder.json"), { recursive: true });
    expect(await findProblems(join(folder, "inner"))).toEqual([
      "inner/folder.json  this folder contains no .json files",
    ]);
  });
});
