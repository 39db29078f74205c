import { expect } from "vitest";
import { type SituationId, situations } from "../../../src/fake/contract/situations.js";
import { type FixtureGroup, type Mock, type MockOptions, startMock } from "../../../src/index.js";
import { acme, type Done, twoTeams } from "./meeting.js";
import { meetings } from "./requests-of-situations.js";
import { type ReceivedResponse, type SentRequest, send } from "./send-request.js";

/** What `meetings` has for a situation, for code that handles all of them in the same way. */
export interface AnyMeeting {
  readonly request: SentRequest;
  readonly rotations?: number;
  readonly where?: object;
  readonly limit?: object;
  readonly within?: SentRequest;
  readonly does: Readonly<Record<string, Done>>;
}

export function meetingOf(id: SituationId): AnyMeeting {
  return meetings[id];
}

/** The outcomes that a situation can have, but for rejected. */
export function otherOutcomes(id: SituationId): string[] {
  const all: readonly string[] = situations[id].outcomes;
  return all.filter((outcome) => outcome !== "rejected");
}

/** A mock with the groups that the requests are about. */
export function startWithTwoTeams(options: MockOptions): Promise<Mock> {
  return startMock({ fixtures: twoTeams, ...options });
}

/** Sends the request that meets a situation, after the rotations that it needs. */
export async function meet(url: string, id: SituationId): Promise<ReceivedResponse> {
  const { request, rotations = 0 } = meetingOf(id);
  let token: string = acme.token;
  for (let n = 0; n < rotations; n++) {
    const { json } = await send(url, { method: "POST", body: { current_token: token } });
    token = json.user_group.token;
  }
  return send(url, request);
}

/** Whether a request did what it should: by its response, and by the groups afterwards. */
export async function expectDone(mock: Mock, { status, headers, json }: ReceivedResponse, done: Done) {
  if ("status" in done) return expect(status).toBe(done.status);
  const situation = headers["usergroup-mock-situation"];
  if ("later" in done) return expect(situation).toBe(done.later);
  expect([status, situation]).toEqual([200, undefined]);
  const groups = await mock.groups();
  if ("rotated" in done || "sameToken" in done) {
    const id = "rotated" in done ? done.rotated : done.sameToken;
    const { token } = groups.find(({ provided_id }) => provided_id === id) ?? {};
    expect(json.user_group).toMatchObject({ provided_id: id, token });
    const before = twoTeams.user_groups?.find(({ provided_id }) => provided_id === id)?.token;
    return expect(token === before).toBe("sameToken" in done);
  }
  const expected: Partial<FixtureGroup> = "created" in done ? done.created : done.found;
  expect(json.new_user_group).toBe("created" in done);
  const { team_id, provided_id } = json.user_group;
  const group = groups.find((one) => one.team_id === team_id && one.provided_id === provided_id);
  return expect(group).toMatchObject(expected);
}
