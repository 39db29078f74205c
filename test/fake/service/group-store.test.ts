import { describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../../src/index.js";
import { create, rotate } from "../../call.js";

const tokenOf = async ({ url }: Mock, id: string): Promise<string> =>
  (await create(url, id)).body.user_group.token;

/** The token, and those of the following rotations. */
async function rotateOften({ url }: Mock, token = "", times = 1): Promise<string[]> {
  const tokens = [token];
  for (let n = 0; n < times; n++) tokens.push((await rotate(url, tokens.at(-1) ?? "")).body.user_group.token);
  return tokens;
}

describe("the tokens of a world", () => {
  it("do not repeat after export, load and further rotations", async () => {
    await using mock = await startMock();
    const before = await rotateOften(mock, await tokenOf(mock, "a"), 3);
    await mock.load(await mock.state());
    const after = await rotateOften(mock, before.at(-1), 3);
    expect(new Set([...before, ...after]).size).toBe(6 + 1);
  });

  it("do not repeat in a server that loads the state of another", async () => {
    await using exporting = await startMock();
    const before = await rotateOften(exporting, await tokenOf(exporting, "a"), 2);
    await using mock = await startMock();
    await mock.load(await exporting.state());
    const after = await rotateOften(mock, before.at(-1), 4);
    expect(new Set(after).size).toBe(4 + 1);
  });

  it("of an imported group are not given to a new group", async () => {
    await using other = await startMock();
    const token = await tokenOf(other, "a");
    await using mock = await startMock();
    const { teams = [], user_groups = [] } = await mock.state();
    const imported = { team_id: 3, provided_id: "imported", name: "Imported", token };
    await mock.load({ teams, user_groups: [...user_groups, imported] });
    expect(await tokenOf(mock, "a")).not.toBe(token);
  });

  it("do not depend on rotations before a reset", async () => {
    await using mock = await startMock();
    const token = (await rotateOften(mock, await tokenOf(mock, "a"), 2)).at(-1);
    const state = await mock.state();
    await using fresh = await startMock();
    for (const server of [mock, fresh]) await server.reset();
    for (const server of [mock, fresh]) await server.load(state);
    expect(await rotateOften(mock, token, 2)).toEqual(await rotateOften(fresh, token, 2));
  });
});
