import { describe, expect, it } from "vitest";
import type { Profile } from "../../../../src/generated/types.js";
import { nameResponses } from "../../../../src/lab/verify/replay/name-responses.js";
import { play } from "../../../../src/lab/verify/replay/play.js";
import { GroupClient } from "../../../../src/lab/verify/service/group-client.js";
import type { Recorded } from "../../../../src/lab/verify/service/recorded.js";
import { recorded, rejected, type SeenPart, success } from "../seen-responses.js";

const group = { provided_id: "ugm-abcdef-1", name: "Name" };
const body = { user_group_id: group.provided_id, name: group.name };

/** A look-up of the group, or its creation, that shows a token. */
const lookUp = (token: string, new_user_group = false) =>
  recorded({ body }, success({ ...group, token }, { new_user_group }));
const created = lookUp("first", true);
const rotate = (current_token: string, seen: SeenPart | string, filename?: string) =>
  recorded(
    { method: "POST", body: { current_token, ...(filename !== undefined && { filename }) } },
    typeof seen === "string" ? success({ ...group, token: seen }, {}) : seen,
  );

function clientWith(secondApiToken?: string): GroupClient {
  const service = new GroupClient({
    baseUrl: "http://127.0.0.1:1",
    apiToken: "api-token",
    ...(secondApiToken !== undefined && { secondApiToken }),
  });
  service.creation = created;
  return service;
}

async function mocked(entries: readonly Recorded[], profile: Profile = {}, service = clientWith()) {
  return (await play(service, entries, profile)).map((one) => one.mocked);
}

describe("a mock gets the requests of a run", () => {
  it("and shows the tokens of the service, and its team", async () => {
    const responses = await mocked([created, lookUp("first"), rotate("first", "second"), lookUp("second")]);
    expect(responses.map((one) => one?.group)).toEqual(
      ["first", "first", "second", "second"].map((token) => ({ ...group, team_id: 7, token })),
    );
    expect(responses.map((one) => one?.status)).toEqual([200, 200, 200, 200]);
  });

  const shortNames: Profile = { accepts: { rotate: { properties: { filename: { maxLength: 5 } } } } };

  it("with the tokens of a group that only the service has rotated", async () => {
    const responses = await mocked(
      [
        created,
        rotate("first", "second", "a long name"),
        rotate("second", "third"),
        rotate("third", "fourth"),
      ],
      shortNames,
    );
    expect(responses.map((one) => one?.isSuccess)).toEqual([true, false, true, true]);
  });

  it("with the tokens of a group that only the mock has rotated", async () => {
    const responses = await mocked([
      created,
      rotate("first", rejected, "a.mp4"),
      rotate("first", "second"),
      rotate("second", "third"),
    ]);
    expect(responses.map((one) => one?.isSuccess)).toEqual([true, true, true, true]);
  });

  it("with the token of a rotation that is missing", async () => {
    const responses = await mocked([created, lookUp("second"), rotate("second", "third")]);
    expect(responses.map((one) => one?.isSuccess)).toEqual([true, true, true]);
  });

  it("but none with a token that only the service has issued", async () => {
    const responses = await mocked([rotate("second", rejected), rotate("first", "second")]);
    expect(responses).toEqual([undefined, expect.anything()]);
  });

  it("with a token of its own form in place of one that was invented", async () => {
    const service = clientWith();
    service.inventedTokens.add("invented");
    const profile: Profile = { responses: { unknown_token: { status: 410 } } };
    const [response] = await mocked([rotate("invented", rejected)], profile, service);
    expect(response?.status).toBe(410);
  });

  it("with tokens that have a meaning in JSON", async () => {
    const token = 'a"\\b';
    const [response] = await mocked([lookUp(token, true)]);
    expect(response?.group.token).toBe(token);
  });
});

describe("a mock has the teams", () => {
  const second = { body, options: "Token second" };
  const bySecond = (team_id: unknown, seen = success({ ...group, team_id, token: "other" })): Recorded => {
    const entry = recorded({ body: second.body }, seen);
    return {
      ...entry,
      request: { ...entry.request, headers: { ...entry.request.headers, Authorization: second.options } },
    };
  };
  const teamOfSecond = async (entry: Recorded) => {
    const [, response] = await mocked([created, entry], {}, clientWith("second"));
    return response?.isSuccess ? [response.group.team_id, response.fields.new_user_group] : response?.status;
  };

  it.each([
    ["both, with their numbers", 8, [8, true]],
    ["both, with the next number if the service has none", "eight", [8, true]],
    ["one, if both API tokens are of the same", 7, [7, false]],
  ])("%s", async (_, team_id, expected) => {
    expect(await teamOfSecond(bySecond(team_id))).toEqual(expected);
  });

  it("one, if the second API token was always rejected", async () => {
    expect(await teamOfSecond(bySecond(8, { ...rejected, status: 401 }))).toBe(401);
  });
});

describe("a response has the name that the mock gives it", () => {
  const names = async (...entries: readonly Recorded[]) => {
    const found = await nameResponses(clientWith(), [created, ...entries], { accepts: {}, assume: {} });
    return found.slice(1).map(({ name }) => name);
  };
  const wrongName = (seen: SeenPart) => recorded({ body: { ...body, name: 5 } }, seen);

  it("if both accept or reject the request", async () => {
    const notFound = recorded({ path: "/other" }, { ...rejected, status: 404 });
    expect(await names(lookUp("first"), rotate("first", "second"), wrongName(rejected), notFound)).toEqual([
      "found",
      "rotated",
      "invalid_body.name.type",
      "not_found",
    ]);
  });

  it.each<[string, Recorded]>([
    ["accepts what the mock rejects", wrongName(success(group))],
    ["rejects what the mock accepts", recorded({ body }, rejected)],
    ["creates a group that the mock finds", lookUp("first", true)],
    [
      "finds a group that the mock creates",
      recorded({ body: { ...body, user_group_id: "other" } }, success(group, { new_user_group: false })),
    ],
    ["has a status without a body", wrongName({ status: 204 })],
    ["has a status without a body, too", wrongName({ status: 304 })],
    [
      "has another status in a success",
      recorded({ body }, { ...success(group, { new_user_group: false }), status: 302 }),
    ],
  ])("and none if the service %s", async (_, entry) => {
    expect(await names(entry)).toEqual([""]);
  });

  it("with the field that is wrong, and the headers of the mock", async () => {
    const entries = [wrongName(rejected), recorded({ method: "PUT", body }, { ...rejected, status: 405 })];
    const [ofName, ofMethod] = await nameResponses(clientWith(), entries, { accepts: {}, assume: {} });
    expect([ofName?.wrongField, ofMethod?.wrongField]).toEqual(["name", undefined]);
    expect(ofMethod?.mockHeaders?.allow).toBeDefined();
  });
});
