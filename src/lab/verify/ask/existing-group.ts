import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import { need } from "../service/not-determinable.js";
import { expectSuccess, jsonText, type ReceivedResponse } from "../service/recorded.js";
import type { ServiceClient } from "../service/service-client.js";

/** What a response shows of the mapping or the properties of a group, after others were sent. */
type ShownChange = "kept" | "replaced" | "merged";

/** What happens to a group that exists. */
export interface ExistingGroup {
  readonly name: "unchanged" | "updated" | "rejected";
  /** Other properties and another mapping. */
  readonly others: "accepted" | "rejected";
  /** Undefined if the service does not show it. The document has no field for it. */
  readonly mapping: ShownChange | undefined;
  readonly properties: ShownChange | undefined;
}

/** Asks what another name, other properties and another mapping do to a group that exists. */
export async function askExistingGroup(client: ServiceClient): Promise<ExistingGroup> {
  const body = client.newBody();
  const before = expectSuccess(await client.send(body)).group.name;
  const name = client.groups.newName();
  const renamed = await client.send({ ...body, name });
  const properties = await askOtherProperties(client, body);
  const mapping = properties.isAccepted ? await askOtherMapping(client, body) : notAsked;
  const areOthersAccepted = properties.isAccepted && mapping.isAccepted;
  // A control: without it, the service may just reject every second request about a group.
  if (!renamed.isSuccess || !areOthersAccepted) expectSuccess(await client.send(body));
  const seen = {
    others: areOthersAccepted ? "accepted" : "rejected",
    mapping: mapping.shown,
    properties: properties.shown,
  } as const;
  if (!renamed.isSuccess) return { ...seen, name: "rejected" };
  if (renamed.group.name === before) return { ...seen, name: "unchanged" };
  need(
    renamed.group.name === name,
    `the name became ${jsonText(renamed.group.name)}, which no value expresses`,
  );
  return { ...seen, name: "updated" };
}

interface OtherValue {
  readonly isAccepted: boolean;
  readonly shown: ShownChange | undefined;
}

const notAsked: OtherValue = { isAccepted: true, shown: undefined };

async function askOtherProperties(client: ServiceClient, body: JsonObject): Promise<OtherValue> {
  const properties = { verify: client.groups.newName() };
  const response = await client.send({ ...body, properties });
  if (response.isSuccess)
    return { isAccepted: true, shown: shownChange(response, body.properties, properties) };
  return { isAccepted: !(await canCreateWith(client, { properties })), shown: undefined };
}

/** Only a sample knows which schemas and sources exist, so others could be rejected for that reason. */
async function askOtherMapping(client: ServiceClient, body: JsonObject): Promise<OtherValue> {
  if (!isObject(body.mapping) || client.target.sample !== undefined) return notAsked;
  // With another key, so that a merged mapping differs from one that was replaced.
  const mapping = { "41": "214" };
  const response = await client.send({ ...body, mapping });
  if (response.isSuccess) return { isAccepted: true, shown: shownChange(response, body.mapping, mapping) };
  return { isAccepted: !(await canCreateWith(client, { mapping })), shown: undefined };
}

/** Whether a new group may have a value. If not, its rejection shows nothing about groups that exist. */
async function canCreateWith(client: ServiceClient, changes: JsonObject): Promise<boolean> {
  return (await client.create(changes)).isSuccess;
}

/** Undefined if no object of the response is the earlier one, the one that was sent, or both. */
function shownChange({ json }: ReceivedResponse, before: unknown, sent: JsonObject): ShownChange | undefined {
  if (!isObject(before) || Object.keys(before).length === 0) return undefined;
  if (includesObject(json, { ...before, ...sent })) return "merged";
  if (includesObject(json, sent)) return "replaced";
  return includesObject(json, before) ? "kept" : undefined;
}

function includesObject(value: unknown, searched: JsonObject): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isDeepStrictEqual(value, searched)) return true;
  return Object.values(value).some((inner) => includesObject(inner, searched));
}
