import { Agent } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { schemasOfMessages } from "../../src/build/from-schemas.mjs";
import { adminCall, adminCallIds } from "../../src/fake/contract/admin-calls.js";
import { operationIds, operations, servicePath } from "../../src/fake/contract/operations.js";
import type { SchemaFile } from "../../src/generated/types.js";
import { call } from "../call.js";
import { ownMock } from "../fake/world/own-world.js";
import { draws } from "../long.js";

const schemas = schemasOfMessages();
const ajv = new Ajv2020({ strict: false, schemas: Object.values(schemas) });
/** The token in the example of a rotation can always be rotated. */
const token = schemas["rotate.request.json"].examples[0]?.current_token ?? "";
const own = ownMock({
  assume: { "old-token": "accepted" },
  fixtures: {
    teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
    user_groups: [{ team_id: 3, provided_id: "example", name: "Example", token }],
  },
});
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Usually invalid. Undefined leaves a field out. */
const odd: readonly unknown[] = [
  ...[undefined, null, true, -1, 1.5, 2 ** 60, [], [[]], {}, { toString: 1 }],
  ...["", "\0", "\ud800", "😀", "__proto__", "x".repeat(2_000)],
  ...['{"__proto__":{"x":1}}', `${"[".repeat(120)}${"]".repeat(120)}`].map((text) => JSON.parse(text)),
];

/** An example of a schema, in most cases with one value replaced. */
function bodyOf(schema: SchemaFile): fc.Arbitrary<string> {
  const { examples = [{}] } = schemas[schema] as { readonly examples?: readonly object[] };
  const parts = { example: fc.constantFrom(...examples), at: fc.nat(8), by: fc.constantFrom(...odd) };
  return fc.record(parts).map(({ example, at, by }) => {
    let visited = 0;
    return JSON.stringify(example, (key, value) => {
      // A test must not wait for long.
      if (key === "timeoutMs") return 1;
      return visited++ === at ? by : value;
    });
  });
}

interface Generated {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly response: SchemaFile;
}

const serviceRequests = operationIds.map((id) => {
  const { method, request, response } = operations[id];
  // In another world than the admin calls, which arm faults.
  const path = `/worlds/service${servicePath}`;
  return bodyOf(request).map((body): Generated => ({ method, path, body, response }));
});

const adminRequests = adminCallIds.flatMap((id) => {
  const { method, path: template, request, response = "done.response.json" } = adminCall(id);
  if (id === "getReport") return [];
  const path = `/worlds/admin/__admin${template.replace("{id}", "1").replace("{name}", "admin")}`;
  const bodies = request === undefined ? fc.constant(undefined) : bodyOf(request);
  return [bodies.map((body): Generated => ({ method, path, body, response }))];
});

describe("requests that are generated from the examples of the schemas", () => {
  it("get a response that matches its schema, and never a 5xx", async () => {
    const requests = fc.array(fc.oneof(...serviceRequests, ...adminRequests), { minLength: 1, maxLength: 8 });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(requests, async (generated) => {
        // One operation may end what another one needs.
        await call("POST", `${own.mock.url}/worlds/service/__admin/reset`);
        for (const { method, path, body, response } of generated) {
          const received = await call(method, `${own.mock.url}${path}`, body, { agent });
          const isService = path.endsWith(servicePath);
          const failure = isService ? "failure.response.json" : "admin-failure.response.json";
          const schema = received.status === 200 ? response : failure;
          expect(received.status).toBeLessThan(500);
          expect(ajv.validate(schema, received.body), `${schema}: ${ajv.errorsText()}`).toBe(true);
          seen.add(schema);
        }
      }),
      { numRuns: draws(100, 3_000) },
    );
    expect([...seen]).toEqual(expect.arrayContaining(operationIds.map((id) => operations[id].response)));
    expect(seen.size).toBeGreaterThan(12);
  });
});
