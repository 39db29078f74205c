import { operationIds } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { Operation } from "../../../generated/types.js";
import { NotDeterminable } from "../service/not-determinable.js";
import type { OwnGroups } from "../service/own-groups.js";
import { isSameResponse, type ReceivedResponse } from "../service/recorded.js";
import type { ServiceClient } from "../service/service-client.js";

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
export function variationName({ operation, field, kind, isLookUp }: Variation): string {
  const what = kind === "extra" ? `${operation}: an unknown field` : `${field}: ${kind}`;
  return isLookUp ? `${what}, of a group that exists` : what;
}

type SendVaried = (
  client: ServiceClient,
  changes: JsonObject,
  variation: Variation,
) => Promise<ReceivedResponse>;

/** How a body with other fields is sent. */
const sendVaried: Readonly<Record<Operation, SendVaried>> = {
  "get-or-create": (client, changes, variation) =>
    variation.isLookUp
      ? client.lookUp(changes)
      : client.create(changes, { inexpressible: beyondMock(variation) }),
  rotate: (client, changes) => client.rotateOwn(changes),
};

/** Sends a body that differs in one field from one that succeeded. Returns whether the service accepts it. */
export async function askVariation(client: ServiceClient, variation: Variation): Promise<boolean> {
  const { operation, field, value } = variation;
  const changes = { [field]: value(client.groups) };
  const response = await sendVaried[operation](client, changes, variation);
  if (field === "name" && isNameTaken(client, response)) {
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

/** Whether a name such as "" or true may be rejected because an earlier run has used it for one of its groups. */
export function isNameTaken(
  { takenName }: Pick<ServiceClient, "takenName">,
  response: ReceivedResponse,
): boolean {
  if (takenName === undefined || !isSameResponse(response, takenName.response)) return false;
  return isSameButForName(response.text, takenName);
}

/**
 * The words decide, because some services have one status for all rejections. They can show a name in another form than
 * it was sent: `True` for true, `""` for white space.
 */
function isSameButForName(text: string, taken: { name: unknown; response: ReceivedResponse }): boolean {
  const name = JSON.stringify(String(taken.name)).slice(1, -1);
  const parts = taken.response.text.split(name).map(withoutRun);
  const [start = ""] = parts;
  const end = parts.at(-1) ?? "";
  const compared = withoutRun(text);
  if (parts.length === 1) return compared === start;
  return compared.startsWith(start) && compared.endsWith(end);
}

/** A rejection without what differs from run to run: ids of groups and of requests, and times. */
function withoutRun(text: string): string {
  const withoutIds = text.replace(/ugm-\w{6}[\w-]*/gi, "");
  // Not one expression with the digit in it, which would be quadratic.
  return withoutIds.replace(/[\w-]+/g, (word) => (/\d/.test(word) ? "0" : word));
}

/**
 * The fields of get-or-create without which every request is rejected, also one about a group that exists. Each is left
 * out alone only if a request with the id alone is rejected.
 */
export async function askRequired(client: ServiceClient): Promise<string[]> {
  const optional = ["name", "mapping", "properties"].filter(
    (field) => field === "name" || field in client.base,
  );
  const isAccepted = async (left: readonly string[]) => {
    const changes = Object.fromEntries(left.map((field) => [field, undefined]));
    return (await client.lookUp(changes)).isSuccess;
  };
  const required = ["user_group_id"];
  if (await isAccepted(optional)) return required;
  for (const field of optional) if (!(await isAccepted([field]))) required.push(field);
  return required;
}
