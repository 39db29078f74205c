import type { JsonObject } from "../../../foundation/json.js";
import type { GroupClient } from "../service/group-client.js";
import { expectSuccess } from "../service/received-response.js";

/** What an id is that differs a little from that of a group. */
type OtherId = "same group" | "another group" | "rejected";

/** What the id of a group is in capitals, and with a space at its end. */
export interface OtherIds {
  readonly capitals: OtherId;
  readonly space: OtherId;
}

export async function askOtherIds(client: GroupClient): Promise<OtherIds> {
  const body = client.newBody();
  expectSuccess(await client.send(body));
  const id = String(body.user_group_id);
  const capitals = await askOtherId(client, body, id.toUpperCase());
  return { capitals, space: await askOtherId(client, body, `${id} `) };
}

async function askOtherId(client: GroupClient, body: JsonObject, user_group_id: string): Promise<OtherId> {
  // With a name of its own, because a new group may need one.
  const renamed = { ...body, user_group_id, name: client.groups.newName() };
  const { isSuccess, fields } = await client.send(renamed);
  if (isSuccess) return fields.new_user_group === true ? "another group" : "same group";
  // If the group was found, the service may have rejected another name for it.
  const again = await client.send({ ...body, user_group_id });
  return again.isSuccess && again.fields.new_user_group !== true ? "same group" : "rejected";
}
