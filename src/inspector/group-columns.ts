import { fieldSchemas } from "../contract/group-fields.js";
import type { GroupDetail } from "../generated/types.js";

export type GroupField = keyof GroupDetail;

/** The first columns. The other fields follow in the order of the schema. */
const firstFields: readonly GroupField[] = ["provided_id", "name", "team_id", "token"];

export const groupColumns: readonly GroupField[] = [
  ...new Set([...firstFields, ...(Object.keys(fieldSchemas) as GroupField[])]),
];

const titles: Partial<Record<GroupField, string>> = {
  provided_id: "Group",
  team_id: "Team",
  seeded: "Origin",
};

export function columnTitle(field: GroupField): string {
  const words = field.replaceAll("_", " ");
  return titles[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
