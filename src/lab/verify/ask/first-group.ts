import { type Bodies, operations, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { GroupClient } from "../service/group-client.js";
import { NoResponse, need } from "../service/not-determinable.js";
import { OtherGroup } from "../service/own-groups.js";
import type { ReceivedResponse } from "../service/received-response.js";
import type { Answer } from "../service/service-client.js";

/** The responses about one group. Most facts are read from them. */
export interface FirstGroup extends CreatedGroup {
  readonly later: Answer<LaterResponses>;
}

export interface CreatedGroup {
  /** What was sent to create it. */
  readonly body: JsonObject;
  readonly created: ReceivedResponse;
}

/** In this order. */
export interface LaterResponses {
  readonly found: ReceivedResponse;
  readonly rotated: ReceivedResponse;
  /** Looked up after the rotation. */
  readonly after: ReceivedResponse;
  /** Whether looking the group up leaves its token as it is. */
  readonly isTokenStable: boolean;
}

/** Every field that a request can send, besides id and name. */
type UsualBody = Required<Omit<Bodies["get-or-create"], "user_group_id" | "name">>;
const usual: UsualBody = { mapping: { "40": "213" }, properties: { filterValue: "value" } };

/** Finds a body with which the service creates a group. */
export async function createFirstGroup(client: GroupClient): Promise<CreatedGroup> {
  const { sample } = client.target;
  if (sample !== undefined) return createWithBase(client, sample);
  const first = await createWithBase(client, usual);
  // The service may not know the schema of the usual mapping.
  return isBodyRejected(first.created) ? createWithBase(client, {}) : first;
}

function isBodyRejected({ isSuccess, status, fields }: ReceivedResponse): boolean {
  // These are about the API token or the URL.
  if (isSuccess || [401, 403, 404].includes(status)) return false;
  // Another server may be there that responds with 200 to everything.
  return status >= 400 || fields.success !== undefined;
}

async function createWithBase(client: GroupClient, base: JsonObject): Promise<CreatedGroup> {
  client.base = base;
  const body = client.newBody();
  try {
    const created = await client.send(body);
    return { body, created: withoutServerError(created) };
  } catch (error) {
    // The response shows something, but nothing more is sent about the group.
    if (error instanceof OtherGroup) return { body, created: error.response };
    throw error;
  }
}

/** No other request has shown yet that the service works, so a 5xx proves nothing. */
function withoutServerError(response: ReceivedResponse): ReceivedResponse {
  const { method } = operations["get-or-create"];
  if (response.status >= 500) throw new NoResponse(`${method} ${servicePath} returned ${response.status}`);
  return response;
}

/** Looks the group up, rotates its token, and looks it up again. It can be repeated. */
export async function askAgain(client: GroupClient): Promise<LaterResponses> {
  const found = await client.lookUp();
  const { token, isTokenStable } = await latestToken(client, found);
  need(typeof token === "string", "the response to a look-up has no token");
  const rotated = await client.rotate(token);
  return { found, rotated, after: await client.lookUp(), isTokenStable };
}

/**
 * Usually the token with which the group was created. If it is another one, an attempt before this one, whose response was
 * lost, has rotated it, or the service changes it at every look-up. A second look-up decides.
 */
async function latestToken(client: GroupClient, { group: { token } }: ReceivedResponse) {
  if (token === client.creation?.response.group.token) return { token, isTokenStable: true };
  const { group } = await client.lookUp();
  return { token: group.token, isTokenStable: group.token === token };
}
