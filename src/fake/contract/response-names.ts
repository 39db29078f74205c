import { shippedSchemas } from "../../generated/shipped-schemas.js";
import { serviceFailures } from "./failures.js";
import { operationIds, operations } from "./operations.js";

/** The responses to requests that succeed. They follow from the operation and from `new_user_group`. */
export const successes = {
  created: { operation: "get-or-create", when: "get-or-create created a group" },
  found: { operation: "get-or-create", when: "get-or-create found the group, and may have updated it" },
  rotated: { operation: "rotate", when: "rotate succeeded" },
} as const;

export type SuccessName = keyof typeof successes;

/** Undefined for the name of a failure. */
export function successOf(name: string): (typeof successes)[SuccessName] | undefined {
  return Object.hasOwn(successes, name) ? successes[name as SuccessName] : undefined;
}

/** How a field of a body can be wrong, by the keyword of the schema that it fails. */
export const fieldKinds: Readonly<Record<string, string>> = {
  required: "missing",
  type: "type",
  minLength: "empty",
};

/**
 * Every response that a profile can describe, with when it is sent. A response without a name of its own in the profile
 * falls back to the wider one: `invalid_body.name.missing`, `invalid_body.name`, `invalid_body`.
 */
export const responseNames: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(successes).map(([name, { when }]) => [name, when]),
  ...Object.entries(serviceFailures).flatMap(([code, { when, ...row }]) => {
    const kinds = "kinds" in row ? Object.entries(row.kinds) : code === "invalid_body" ? bodyKinds() : [];
    return [[code, when], ...kinds.map(([kind, whenKind]) => [`${code}.${kind}`, whenKind])];
  }),
]);

/** The name that a response falls back to, or an empty text. */
export function widerName(name: string): string {
  return name.replace(/\.?[^.]*$/, "");
}

/** The kinds of `invalid_body`: by the first field that is wrong, in the order of the schema. */
function bodyKinds(): string[][] {
  return operationIds.flatMap((id) => {
    const { properties, required } = shippedSchemas[operations[id].request];
    // get-or-create needs a name if the group does not exist yet.
    const needed: readonly string[] = [...required, "name"];
    return Object.entries(properties).flatMap(([field, schema]) => [
      [field, `\`${field}\` is the first field that is wrong`],
      ...(needed.includes(field) ? [[`${field}.missing`, "it is missing"]] : []),
      [`${field}.type`, "its type, or that of a value in it, is wrong"],
      ...("minLength" in schema ? [[`${field}.empty`, "it is empty"]] : []),
    ]);
  });
}

const fields = Object.entries(shippedSchemas["get-or-create.request.json"].properties);

/** What a profile can fill in. True for an object, which is a whole value and never a part of a text. */
export const fillable: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...["path", "method", "current_token"].map((name) => [name, false]),
  ...fields.map(([name, { type }]) => [name, type === "object"]),
]);

/** The Content-Type of a text, unless headers have one. */
export function textType(text: string): string {
  return `text/${text.trimStart().startsWith("<") ? "html" : "plain"}; charset=utf-8`;
}
