import { type Bodies, operations, servicePath } from "../../fake/contract/operations.js";
import type { JsonObject } from "../../foundation/json.js";
import { NoResponse, need } from "./not-determinable.js";
import { OtherGroup } from "./own-groups.js";
import type { ReceivedResponse } from "./recorded.js";
import type { Answer, ServiceClient } from "./service-client.js";

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
export async function createFirstGroup(service: ServiceClient): Promise<CreatedGroup> {
  service.base = service.target.sample ?? usual;
  const first = await createWithBase(service);
  const { isSuccess, status, fields } = first.created;
  // These are about the API token or the URL.
  const isBodyRejected = !isSuccess && fields.success !== undefined && ![401, 403, 404].includes(status);
  if (!isBodyRejected || service.target.sample !== undefined) return first;
  // The service may not know the schema of the usual mapping.
  service.base = {};
  return createWithBase(service);
}

async function createWithBase(service: ServiceClient): Promise<CreatedGroup> {
  const body = service.newBody();
  const { method } = operations["get-or-create"];
  try {
    const created = await service.send(body);
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
export async function askAgain(service: ServiceClient): Promise<LaterResponses> {
  const found = await service.lookUp();
  // An earlier attempt, whose response was lost, may have rotated the token. Then only a second look-up shows it.
  const isFirstToken = found.group.token === service.first?.response.group.token;
  const latest = isFirstToken ? found : await service.lookUp();
  const { token } = latest.group;
  need(typeof token === "string", "the response to a look-up has no token");
  const rotated = await service.rotate(token);
  const isTokenStable = token === found.group.token;
  return { found, rotated, after: await service.lookUp(), isTokenStable };
}
