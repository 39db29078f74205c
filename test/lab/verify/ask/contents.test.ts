import { describe, expect, it } from "vitest";
import { isObject, type JsonObject } from "../../../../src/foundation/json.js";
import { typeName } from "../../../../src/foundation/json-shape.js";
import { askContents, type ObjectField, valueTypes } from "../../../../src/lab/verify/ask/contents.js";
import { rejected, scriptedService, success } from "../seen-responses.js";

/** A service whose values in a field may have some types. */
function accepting(field: ObjectField, types: readonly string[], base: JsonObject) {
  const scripted = scriptedService((body) => {
    const values = isObject(body[field]) ? Object.values(body[field]) : [];
    return values.every((value) => types.includes(typeName(value))) ? success({}) : rejected;
  });
  scripted.service.base = base;
  return scripted;
}

describe.each<ObjectField>(["mapping", "properties"])("the types of values in %s", (field) => {
  const base = { [field]: { "40": "213" } };

  it("are found with one request if there are no rules", async () => {
    const { service, sent } = accepting(field, valueTypes(field), base);
    expect(await askContents(service, field)).toEqual(valueTypes(field));
    expect(sent).toHaveLength(1);
    const [first] = sent;
    expect(Object.values(Object(first?.body[field])).map(typeName).sort()).toEqual(valueTypes(field).sort());
    // Another schema id may not exist, too.
    expect(first?.options.hasSeveralMistakes).toBe(true);
  });

  it.each([
    [["string"]],
    [["string", "number"]],
    [["string", "null", "array"]],
    [["string", "boolean", "object"]],
  ])("are asked one by one otherwise, in place of the usual value: %j", async (types) => {
    const { service, sent } = accepting(field, types, base);
    expect((await askContents(service, field)).sort()).toEqual([...types].sort());
    expect(sent.slice(1).map(({ body }) => Object.keys(Object(body[field])))).toEqual(Array(5).fill(["40"]));
    expect(sent.slice(1).map(({ options }) => options.inexpressible)).toEqual(Array(5).fill(undefined));
  });

  it.each([{}, { [field]: {} }])("need a usual value, which %j does not have", async (without) => {
    const { service, sent } = accepting(field, ["string"], without);
    await expect(askContents(service, field)).rejects.toThrow(
      "this needs a mapping and properties that the service accepts: pass --sample",
    );
    expect(sent).toEqual([]);
  });
});
