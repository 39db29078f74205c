import { shownSchemas } from "../../contract/group-fields.js";
import { operationIds, operations } from "../../contract/operations.js";
import { isObject, type JsonObject } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Operation } from "../../generated/types.js";
import type { ReceivedResponse, RequestOptions, ServiceClient } from "./service-client.js";

/** Returns what is wrong, or undefined if the fact holds. */
export type Check = (client: ServiceClient) => Promise<string | undefined>;

/** A request of each operation that should succeed. */
const samples: Readonly<
  Record<Operation, (client: ServiceClient, options?: RequestOptions) => Promise<ReceivedResponse>>
> = {
  "get-or-create": (client, options) => client.create({}, options),
  rotate: async (client, options) => client.rotate((await client.create()).group.token, options),
};

/** Statements of the service's document, with requests that check them. */
export const facts: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(operationIds.map(envelopeFact)),
  "get-or-create accepts mapping and properties": async (client) => {
    const mapped = await client.create({ mapping: { "40": "213" }, properties: { filterValue: "value" } });
    return mapped.isSuccess ? undefined : `it failed with ${mapped.status}`;
  },
  "new_user_group is true if the request created the group, and false if it existed": async (client) => {
    const [first, second] = (await lookUpTwice(client)).map(({ json }) => json?.new_user_group);
    return first === true && second === false ? undefined : `it was ${show(first)}, then ${show(second)}`;
  },
  [`user_group has ${withAnd(Object.keys(shownSchemas))}, and no other field`]: async (client) =>
    wrongFields((await client.create()).group, shownSchemas),
  "provided_id is the user_group_id that was sent, and name the name": async (client) => {
    const sent = client.newGroup();
    const { provided_id, name } = (await client.getOrCreate(sent)).group;
    if (provided_id !== sent.user_group_id)
      return `provided_id was ${show(provided_id)} for ${show(sent.user_group_id)}`;
    return name === sent.name ? undefined : `name was ${show(name)} for ${show(sent.name)}`;
  },
  "looking up a group keeps its token": async (client) => {
    const [first, second] = (await lookUpTwice(client)).map(({ group }) => group.token);
    if (first === undefined) return "the token was missing";
    return first === second ? undefined : "the second request returned a different token";
  },
  "rotate returns the group whose token was sent, in the same shape": async (client) => {
    const before = (await client.create()).group;
    const after = (await client.rotate(before.token)).group;
    for (const field of Object.keys(shownSchemas).filter((name) => name !== "token")) {
      if (before[field] !== after[field])
        return `${field} was ${show(before[field])}, then ${show(after[field])}`;
    }
    return wrongFields(after, shownSchemas);
  },
  "the token that rotate returns is the token of the group from then on": async (client) => {
    const body = client.newGroup();
    const { token } = (await client.getOrCreate(body)).group;
    if (token === undefined) return "the token was missing before the rotation";
    const rotated = (await client.rotate(token)).group.token;
    const found = (await client.getOrCreate(body)).group.token;
    return rotated === found ? undefined : "looking up the group returned a different token";
  },
  "a failed request returns success 0": async (client) => {
    const { status, json } = await client.rotate(neverIssued);
    return json?.success === 0 ? undefined : `success was ${show(json?.success)}, with status ${status}`;
  },
  "every operation requires the Authorization header": async (client) => {
    for (const id of operationIds) {
      if ((await samples[id](client, { authorization: null })).isSuccess) return `${id} succeeded without it`;
    }
    return undefined;
  },
};

async function lookUpTwice(client: ServiceClient): Promise<ReceivedResponse[]> {
  const body = client.newGroup();
  return [await client.getOrCreate(body), await client.getOrCreate(body)];
}

/** A token that no service has issued. */
export const neverIssued = "0".repeat(64);

/** The response of an operation has the fields of its schema, and no other. */
function envelopeFact(id: Operation): [fact: string, Check] {
  const { properties } = shippedSchemas[operations[id].response];
  const fields = Object.keys(properties).map((field) => (field === "success" ? "success 1" : field));
  const check: Check = async (client) => {
    const { status, json } = await samples[id](client);
    if (json === undefined) return `the response, with status ${status}, is not a JSON object`;
    if (json.success !== 1) return `success was ${show(json.success)}, with status ${status}`;
    return wrongFields(json, properties);
  };
  return [`${id} returns ${withAnd(fields)}, and nothing else`, check];
}

function withAnd(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB").format(names);
}

interface FieldSchema {
  readonly type?: string;
  readonly const?: unknown;
}

function wrongFields(object: JsonObject, fields: Readonly<Record<string, FieldSchema>>): string | undefined {
  for (const [name, schema] of Object.entries(fields)) {
    if (!fits(object[name], schema)) return `${name} was ${show(object[name])}`;
  }
  const unexpected = Object.keys(object).filter((name) => !Object.hasOwn(fields, name));
  return unexpected.length === 0 ? undefined : `unexpected field: ${unexpected.join(", ")}`;
}

function fits(value: unknown, { type, const: only }: FieldSchema): boolean {
  if (type === undefined) return value === only;
  if (type === "integer") return Number.isInteger(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
