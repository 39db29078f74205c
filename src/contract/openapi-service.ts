import { isObject } from "../foundation/json.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { Operation } from "../generated/types.js";
import { valuesOf } from "./assumptions.js";
import { asComponent, json, ref } from "./openapi-schemas.js";
import { operationIds, operations } from "./operations.js";
import type { KnownResponses } from "./profile.js";
import { responseNames, successes, textType } from "./response-names.js";

/** The operations, with the statuses and bodies that assumptions, the profile and faults can produce. */
export function serviceMethods(known: KnownResponses): Record<string, object> {
  const methods = operationIds.map((id) => {
    const { method, request, summary } = operations[id];
    const described = {
      tags: ["service"],
      operationId: id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      security: [{ apiToken: [] }],
      requestBody: { required: true, content: json(request) },
      responses: { ...serviceResponses(id, known), "4XX": rejected, "5XX": rejected },
    };
    return [method.toLowerCase(), described];
  });
  return Object.fromEntries(methods);
}

const jsonType = "application/json";

const ourFailure = ref("failure.response.json");

const rejected = {
  description: "The request was rejected, or a fault replaced the response.",
  content: {
    [jsonType]: {
      schema: { anyOf: [ourFailure, { description: "The body of a fault." }] },
    },
    "text/html": { schema: { type: "string" } },
    "text/plain": { schema: { type: "string" } },
  },
};

/** The responses with a status of their own: the successes, and what the profile has about failures. */
function serviceResponses(id: Operation, known: KnownResponses): Record<string, object> {
  const found = Object.keys(responseNames).flatMap((name) => {
    const success = Object.entries(successes).find(([one]) => one === name)?.[1];
    if (success !== undefined && success.operation !== id) return [];
    const { status, headers, body, text } = known.get(name) ?? {};
    const ours = name === "created" ? valuesOf("created-status") : ["200"];
    const statuses = status === undefined ? (success ? ours : []) : [`${status}`];
    const [, given] = Object.entries(headers ?? {}).find(([header]) => /^content-type$/i.test(header)) ?? [];
    const type = (given ?? (text === undefined ? jsonType : textType(text))).replace(/;.*/, "");
    const schema = success ? successSchema(id, body) : describe(text ?? body);
    return statuses.map((one) => ({ status: one, type, schema }));
  });
  // With failure-status=always-200.
  found.push({ status: "200", type: jsonType, schema: ourFailure });
  const responses = found.map(({ status }) => {
    const ofStatus = found.filter((one) => one.status === status);
    const content = ofStatus.map(({ type }) => {
      const texts = ofStatus.filter((one) => one.type === type).map(({ schema }) => JSON.stringify(schema));
      const schemas: object[] = [...new Set(texts)].map((one) => JSON.parse(one));
      return [type, { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } }];
    });
    return [status, { description: `Status ${status} of ${id}.`, content: Object.fromEntries(content) }];
  });
  return Object.fromEntries(responses);
}

/** The schema of a success, with the fields that the profile adds. */
function successSchema(id: Operation, body: unknown): object {
  const file = operations[id].response;
  if (body === undefined) return ref(file);
  const { properties: added } = { properties: {}, ...describe(body) };
  const { user_group, ...others } = added as { user_group?: { properties: object } };
  const group = asComponent(shippedSchemas["user-group.json"]) as { properties: object };
  const schema = asComponent(shippedSchemas[file]) as { properties: object };
  const withGroup = { ...group, properties: { ...group.properties, ...user_group?.properties } };
  return { ...schema, properties: { ...schema.properties, ...others, user_group: withGroup } };
}

/** The schema of an example, or of our failures without one. A placeholder for an object has its type. */
function describe(example: unknown): object {
  if (example === undefined) return ourFailure;
  if (Array.isArray(example))
    return { type: "array", items: example.length === 0 ? {} : describe(example[0]) };
  if (isObject(example)) {
    const fields = Object.entries(example).map(([name, value]) => [name, describe(value)]);
    return { type: "object", properties: Object.fromEntries(fields) };
  }
  if (example === null) return {};
  return { type: /^\{(mapping|properties)\}$/.test(String(example)) ? "object" : typeof example };
}
