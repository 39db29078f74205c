import { operationIds } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { Operation } from "../../../generated/types.js";
import type { GroupClient } from "../service/group-client.js";
import { NotDeterminable } from "../service/not-determinable.js";
import type { OwnGroups } from "../service/own-groups.js";
import type { ReceivedResponse } from "../service/received-response.js";
import { isNameTaken } from "./name-taken.js";

/** How a field of a body differs from one that the service accepts. */
export type VariationKind =
  | "missing"
  | "null"
  | "number"
  | "boolean"
  | "text"
  | "object"
  | "list"
  | "empty"
  | "blank"
  | "extra";

interface FieldVariation {
  /** Of the body. */
  readonly field: string;
  readonly kind: VariationKind;
  /** Undefined leaves the field out. */
  readonly value: (groups: OwnGroups) => unknown;
  /** Sent about a group that exists: it may obey other rules than one that is created. */
  readonly isLookUp?: true;
}

export interface Variation extends FieldVariation {
  readonly operation: Operation;
}

/** What identifies a variation. */
export type VariationId = Omit<Variation, "value">;

/** What a field is, instead of a text or an object that the service accepts. */
const kinds = {
  missing: () => undefined,
  null: () => null,
  number: (groups) => groups.newNumber(),
  boolean: () => true,
  text: (groups) => groups.newName(),
  object: (groups) => ({ verify: groups.newName() }),
  list: (groups) => [groups.newName()],
  blank: () => "   ",
} as const satisfies { readonly [K in VariationKind]?: Variation["value"] };

function vary(field: string, ...names: readonly (keyof typeof kinds)[]): FieldVariation[] {
  return names.map((kind) => ({ field, kind, value: kinds[kind] }));
}

function empty(field: string, value: "" | object): FieldVariation {
  return { field, kind: "empty", value: () => value };
}

/** A field that is not in the document. */
const extra: FieldVariation = { field: "verify_field", kind: "extra", value: () => 1 };

/**
 * The fields of a body, and how each is varied, one in a request. `accepts` and the responses by name are learned from
 * them. Never null, empty, a list or an object as `user_group_id`: a service may make a text of it, such as `None`, which
 * is somebody's group. How long a field may be is asked in `lengths.ts`, the contents of mapping and properties in
 * `contents.ts`.
 */
const variationsOf: Readonly<Record<Operation, readonly FieldVariation[]>> = {
  "get-or-create": [
    ...vary("user_group_id", "missing", "number"),
    ...vary("name", "null", "number", "boolean", "object", "blank"),
    { field: "name", kind: "null", value: kinds.null, isLookUp: true },
    empty("name", ""),
    ...vary("mapping", "null", "text", "number", "list"),
    empty("mapping", {}),
    ...vary("properties", "null", "text", "number", "list"),
    empty("properties", {}),
    extra,
  ],
  rotate: [...vary("filename", "null", "number"), empty("filename", ""), extra],
};

export const variations: readonly Variation[] = operationIds.flatMap((operation) =>
  variationsOf[operation].map((one) => ({ operation, ...one })),
);

/** @example "name: null" */
export function variationName({ operation, field, kind, isLookUp }: VariationId): string {
  const what = kind === "extra" ? `${operation}: an unknown field` : `${field}: ${kind}`;
  return isLookUp ? `${what}, of a group that exists` : what;
}

type SendVaried = (client: GroupClient, variation: Variation) => Promise<ReceivedResponse>;

/** How the variations of an operation are sent. */
const sendVaried: Readonly<Record<Operation, SendVaried>> = {
  "get-or-create": (client, variation) => {
    const changes = changesOf(variation, client);
    if (variation.isLookUp) return client.lookUp(changes);
    return client.create(changes, { inexpressible: beyondMock(variation) });
  },
  rotate: (client, variation) => client.rotateOwn(changesOf(variation, client)),
};

function changesOf({ field, value }: Variation, { groups }: GroupClient): JsonObject {
  return { [field]: value(groups) };
}

/** Sends a body that differs in one field from one that succeeded. Returns whether the service accepts it. */
export async function askVariation(client: GroupClient, variation: Variation): Promise<boolean> {
  const response = await sendVaried[variation.operation](client, variation);
  if (variation.field === "name" && isNameTaken(client.takenName, response)) {
    client.forgetLast();
    throw new NotDeterminable("another group may have this name");
  }
  return response.isSuccess;
}

/** What a service may accept, and no profile can say what it does with it. */
function beyondMock({ field, kind }: Variation): string | undefined {
  if (kind === "object") return `the mock takes no object as ${field}`;
  const isObjectField = field === "mapping" || field === "properties";
  return isObjectField && kind === "empty" ? `an empty ${field}` : undefined;
}
