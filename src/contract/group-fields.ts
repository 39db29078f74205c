import userGroup from "../../schemas/user-group.json" with { type: "json" };
import type {
  FaultRule,
  FixtureGroup,
  GetOrCreateRequest,
  GroupDetail,
  NewGroup,
  RotateRequest,
  UserGroup,
} from "../generated/types.js";

/** A group with all its stored fields. Never changed in place: worlds share the groups of the seed. */
export type Group = Readonly<Required<Omit<GroupDetail, "seeded">>>;

interface GroupField {
  /** Whether the service shows it. */
  readonly isShown?: true;
  /** Its name in the body of get-or-create, if a request can send it. */
  readonly sentAs?: keyof GetOrCreateRequest;
  /** Whether get-or-create changes it in a group that exists, with existing-group=updated. */
  readonly isChangeable?: true;
  /** Its value in a new group, if none is given. */
  readonly default?: object | string;
}

/**
 * The fields of a group that are sent, stored, shown and exported. `npm run check` fails if a schema has a field that is
 * not in this table, or lacks one.
 */
export const groupFields = {
  team_id: { isShown: true },
  token: { isShown: true },
  name: { isShown: true, sentAs: "name", isChangeable: true },
  provided_id: { isShown: true, sentAs: "user_group_id" },
  mapping: { sentAs: "mapping", isChangeable: true, default: {} },
  properties: { sentAs: "properties", isChangeable: true, default: {} },
} as const satisfies Record<Exclude<keyof Group, "rotations">, GroupField>;

type Fields = typeof groupFields;
type FieldName = keyof Fields;
type FieldWith<Part> = { [Name in FieldName]: Fields[Name] extends Part ? Name : never }[FieldName];
type ShownField = FieldWith<{ readonly isShown: true }>;
type ChangeableField = FieldWith<{ readonly isChangeable: true }>;
type SentName = Extract<Fields[FieldName], { readonly sentAs: string }>["sentAs"];

/** True if both have the same members. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Each schema has the fields of the table, or this does not compile. */
export const schemasAgree: {
  readonly userGroup: Same<keyof UserGroup, ShownField>;
  readonly fixture: Same<keyof FixtureGroup, FieldName>;
  readonly addGroup: Same<keyof NewGroup, FieldName>;
  readonly getOrCreate: Same<keyof GetOrCreateRequest, SentName>;
  readonly faultMatch: Same<keyof NonNullable<FaultRule["match"]>, SentName | keyof RotateRequest>;
} = { userGroup: true, fixture: true, addGroup: true, getOrCreate: true, faultMatch: true };

const fieldNames = Object.keys(groupFields) as readonly FieldName[];

const rows: Readonly<Record<FieldName, GroupField>> = groupFields;

export const changeableFields = fieldNames.filter((name) => rows[name].isChangeable) as ChangeableField[];

/** A new group, with the default of each field that is not given. */
export function newGroup<Token extends string | undefined>(
  given: FixtureGroup,
  token: Token,
): Omit<Group, "token"> & { readonly token: Token } {
  const group: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) group[name] = given[name] ?? rows[name].default;
  return Object.assign(group as Group, { token, rotations: 0 });
}

/** The fields of a group that a body of get-or-create has, by their names in the group. */
export function readSentFields(body: GetOrCreateRequest): Partial<Group> {
  const sent: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) {
    const { sentAs } = rows[name];
    const value = sentAs && body[sentAs];
    if (value !== undefined) sent[name] = value;
  }
  return sent as Partial<Group>;
}

/** What the service shows of a group. */
export function showGroup({ team_id, token, name, provided_id }: Group): Required<Pick<Group, ShownField>> {
  return { team_id, token, name, provided_id };
}

/** The schemas of the fields that the service shows. */
export const shownSchemas = userGroup.properties;
