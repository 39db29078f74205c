import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Fixture } from "../../src/generated/types.js";
import { call, create, rotate } from "../call.js";
import { ownWorld } from "../fake/world/own-world.js";
import { rejectionOf } from "../fake/world/rejection.js";
import { seededToken } from "../seeded.js";

const own = ownWorld();

const fixture: Fixture = {
  teams: [{ team_id: 9, api_tokens: ["nine", "neuf"] }],
  user_groups: [{ team_id: 9, provided_id: "g", name: "G", token: "t".repeat(64), properties: { a: [1] } }],
};

describe("state()", () => {
  it("returns a copy", async () => {
    const { world } = own;
    const before = await world.state();
    const changed = await world.state();
    changed.teams[0]?.api_tokens.push("another");
    for (const group of changed.user_groups) Object.assign(group.properties, { changed: true });
    changed.user_groups.pop();
    expect(await world.state()).toEqual(before);
    await world.reset();
    expect(await world.state()).toEqual(before);
  });

  it("can be loaded by another mock, or be its fixtures", async () => {
    const { world } = own;
    await rotate(world.url, (await create(world.url)).body.user_group.token);
    await rotate(world.url, seededToken);
    const state = await world.state();
    await using other = await startMock({ fixtures: fixture });
    await other.load(state);
    expect(await other.state()).toEqual(state);
    await using third = await startMock({ fixtures: state, seed: "another" });
    expect(await third.state()).toEqual(state);
  });
});

describe("load()", () => {
  it("takes a copy of the fixture, as JSON would transmit it", async () => {
    const { world } = own;
    const properties = { since: new Date(0), nothing: undefined, list: [undefined] };
    const given = { ...fixture, user_groups: [{ team_id: 9, provided_id: "g", name: "G", properties }] };
    await world.load(given);
    Object.assign(properties, { changed: true });
    const [group] = (await world.state()).user_groups;
    expect(group?.properties).toStrictEqual({ since: "1970-01-01T00:00:00.000Z", list: [null] });
  });

  const group = { team_id: 9, provided_id: "g", name: "G" };
  it("lists every problem of a rejected fixture in details, and changes nothing", async () => {
    const given = {
      teams: [{ team_id: 9, api_tokens: ["same", "same"] }],
      user_groups: [group, group, { ...group, team_id: 10 }],
    };
    const { world } = own;
    await create(world.url);
    const before = await world.state();
    const { code, message, details } = await rejectionOf(world.load(given));
    expect([code, details.map(({ path }) => path)]).toEqual([
      "invalid_fixture",
      ["/teams/0/api_tokens/1", "/user_groups/1", "/user_groups/2/team_id"],
    ]);
    for (const detail of details) expect(message).toContain(detail.message);
    expect(message.split("\n")).toHaveLength(1 + details.length);
    expect(await world.state()).toEqual(before);
  });
});

it.each([3, undefined, null, {}, ["w"], ""])("world() rejects an invalid name: %j", (name) => {
  expect(() => Reflect.apply(own.world.world, own.world, [name])).toThrow("is not a valid world name");
});

it("requests() accepts a group id with characters of a URL, and null instead of filters", async () => {
  const { world } = own;
  await create(world.url, "a?b=c");
  await create(world.url, "42");
  expect(await world.requests({ user_group_id: "a?b=c" })).toMatchObject([{ id: 1 }]);
  expect(await Reflect.apply(world.requests, world, [null])).toHaveLength(2);
  const filtered = async (id: string) =>
    (await call("GET", `${world.url}/__admin/requests?user_group_id=${id}`)).body.requests;
  expect(await filtered("a?b%3Dc")).toMatchObject([{ id: 1 }]);
  expect(await filtered("42")).toMatchObject([{ id: 2 }]);
});
