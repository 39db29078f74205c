import { type Bodies, operations, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { NoResponse, need } from "../service/not-determinable.js";
import { OtherGroup } from "../service/own-groups.js";
import type { ReceivedResponse } from "../service/recorded.js";
import type { Answer, ServiceClient } from "../service/service-client.js";

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
export async function createFirstGroup(client: ServiceClient): Promise<CreatedGroup> {
  client.base = client.target.sample ?? usual;
  const first = await createWithBase(client);
  const { isSuccess, status, fields } = first.created;
  // These are about the API token or the URL.
  const isBodyRejected = !isSuccess && fields.success !== undefined && ![401, 403, 404].includes(status);
  if (!isBodyRejected || client.target.sample !== undefined) return first;
  // The service may not know the schema of the usual mapping.
  client.base = {};
  return createWithBase(client);
}

async function createWithBase(client: ServiceClient): Promise<CreatedGroup> {
  const body = client.newBody();
  const { method } = operations["get-or-create"];
  try {
    const created = await client.send(body);
    // No other request has shown yet that the service works.
    if (created.status >= 500) throw new NoResponse(`${method} ${servicePath} returned ${created.status}`);
    return { body, created };
  } catch (error) {
    // The response shows something, but nothing more is sent about the group.
    if (error instanceof OtherGroup) return { body, created: error.response };
    throw error;
  }
}

/** Looks the group up, rotates its token, and looks it up again. It can be repeated. */
export async function askAgain(client: ServiceClient): Promise<LaterResponses> {
  const found = await client.lookUp();
  // An earlier attempt, whose response was lost, may have rotated the token. Then only a second look-up shows it.
  const isFirstToken = found.group.token === client.first?.response.group.token;
  const latest = isFirstToken ? found : await client.lookUp();
  const { token } = latest.group;
  need(typeof token === "string", "the response to a look-up has no token");
  const rotated = await client.rotate(token);
  const isTokenStable = token === found.group.token;
  return { found, rotated, after: await client.lookUp(), isTokenStable };
}
