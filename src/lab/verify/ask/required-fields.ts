import type { GroupClient } from "../service/group-client.js";

/**
 * The fields of get-or-create without which every request is rejected, also one about a group that exists. Each is left
 * out alone only if a request with the id alone is rejected. The id is not asked about: the mock always needs it.
 */
export async function askRequired(client: GroupClient): Promise<string[]> {
  const optional = ["name", "mapping", "properties"].filter(
    (field) => field === "name" || field in client.base,
  );
  if (await isAcceptedWithout(client, optional)) return ["user_group_id"];
  const required = ["user_group_id"];
  for (const field of optional) if (!(await isAcceptedWithout(client, [field]))) required.push(field);
  return required;
}

async function isAcceptedWithout(client: GroupClient, fields: readonly string[]): Promise<boolean> {
  const changes = Object.fromEntries(fields.map((field) => [field, undefined]));
  return (await client.lookUp(changes)).isSuccess;
}
