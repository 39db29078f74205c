import { fieldOf, isObject } from "../foundation/json.js";
import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import { adminCall, adminCallIds } from "./admin-calls.js";

/** The content of a request or response in the shape of a schema. */
export function json(file: SchemaFile) {
  return { "application/json": { schema: ref(file) } };
}

export function ref(file: SchemaFile) {
  return { $ref: componentPath(file) };
}

/** Every schema that requests and responses refer to. @param overlay the user's own schemas */
export function componentSchemas(overlay: Readonly<Record<string, object>>) {
  const queries = new Set(adminCallIds.map((id) => adminCall(id).query));
  return Object.fromEntries(
    Object.entries(shippedSchemas)
      // The fields of a query are listed as parameters.
      .filter(([file]) => !queries.has(file as SchemaFile))
      .map(([file, schema]) => {
        const own = overlay[file];
        return [schema.title, asComponent(own === undefined ? schema : { allOf: [schema, own] })];
      }),
  );
}

/**
 * A schema in `components`: references to files become references to components. What generators of clients misread is
 * written in another way: they ignore what is beside a reference, do not compile a reference into an optional field, and
 * require a field that has a default.
 */
export function asComponent(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key: string, value: unknown) => {
    if (key === "$id" || (key === "$schema" && typeof value === "string")) return undefined;
    if (!isObject(value)) return value;
    // An assumption may accept any value.
    if (value.tsType === "unknown") return {};
    if (typeof value.type === "string") Reflect.deleteProperty(value, "default");
    if (typeof value.$ref !== "string") return value;
    const { $ref: path, title, description, examples, type, unevaluatedProperties, ...rules } = value;
    const annotations = { title, description, examples, type, unevaluatedProperties };
    const field = fieldSchema(path);
    if (field !== undefined) return { ...asComponent(field), ...JSON.parse(JSON.stringify(annotations)) };
    const $ref = componentPath(path);
    if (Object.keys(value).length === 1) return { $ref };
    return { ...annotations, allOf: [{ $ref }, ...(Object.keys(rules).length > 0 ? [rules] : [])] };
  });
}

/** @param path `user-group.json#/properties/name` */
function fieldSchema(path: string): object | undefined {
  const [file = "", place] = path.split("#/");
  if (place === undefined || !Object.hasOwn(shippedSchemas, file)) return undefined;
  const found = place
    .split("/")
    .reduce<unknown>((within, name) => fieldOf(within, name), shippedSchemas[file as SchemaFile]);
  return isObject(found) ? found : undefined;
}

function componentPath(file: string): string {
  const title = Object.hasOwn(shippedSchemas, file) ? shippedSchemas[file as SchemaFile].title : file;
  return `#/components/schemas/${title}`;
}
