import { Ajv2020 } from "ajv/dist/2020.js";
import { adminCall, adminCallIds } from "../../src/contract/admin-calls.js";
import { operationIds, operations, servicePath } from "../../src/contract/operations.js";
import { fieldOf, parseJson } from "../../src/foundation/json.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";
import type { Received } from "./connection.js";
import { Finding } from "./finding.js";
import type { RequestParts } from "./steps.js";

const rule = "responses are valid";
const ajv = new Ajv2020({ strict: false, schemas: Object.values(shippedSchemas) });

/** No response may contain it. */
const stack = /(?:\n|\\n) +at \S|node_modules(?!\/usergroup-mock\/docs\/)|file:\/\//;

/** Checks the bytes of any connection, even if they are not HTTP. */
export function checkBytes(received: string, hasFaults: boolean): void {
  for (const [, status] of received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
    if (Number(status) >= 500 && !hasFaults)
      throw new Finding(rule, `unexpected ${status}: ${received.slice(0, 500)}`);
  }
  if (received.includes('"code":"internal"'))
    throw new Finding(rule, `an internal error: ${received.slice(0, 500)}`);
  // The script of a report may contain text that looks like a stack trace.
  const withoutScript = received.replace(/<script type="module">[\s\S]*?<\/script>/g, "");
  if (stack.test(withoutScript)) throw new Finding(rule, `a stack: ${received.slice(0, 1_000)}`);
}

/** Checks the response to a whole request. */
export function checkResponse(request: RequestParts, response: Received, hasFaults: boolean): void {
  const { status, headers, body, isWhole } = response;
  const fail = (what: string) =>
    new Finding(rule, `${what} after ${request.method} ${request.target}: ${status} ${body.slice(0, 500)}`);
  const isAdmin = request.target.includes("__admin");
  const mayBeBroken = hasFaults && !isAdmin;
  if (status === 304) throw fail("a 304");
  if (status >= 500 && isAdmin) throw fail("an unexpected failure");
  const type = headers.get("content-type");
  const expected = expectedOf(request);
  const isExpected = expected !== undefined && type?.split(";")[0] === expected.type.split(";")[0];
  if (type !== undefined && !type.startsWith("application/json") && !isExpected)
    throw fail(`the type ${type}`);
  if (body === "" || !type?.startsWith("application/json") || mayBeBroken) return;
  // A long response is cut if its world ends meanwhile.
  if (!isWhole && !isAdmin) throw fail("half a response");
  const json = isWhole ? parseJson(body) : {};
  if (json === undefined) throw fail("not JSON");
  // With failure-status=always-200, the status is not meaningful.
  if (!isWhole || status !== 200 || fieldOf(json, "success") === 0 || expected?.schema === undefined) return;
  if (!ajv.validate(expected.schema, json)) throw fail(`not ${expected.schema}: ${ajv.errorsText()}`);
}

/** The successful responses, by method and path. */
const responses: readonly { method: string; path: RegExp; type: string; schema: string | undefined }[] = [
  ...operationIds.map((id) => ({
    method: operations[id].method,
    path: new RegExp(`^${servicePath}$`),
    type: "application/json",
    schema: operations[id].response,
  })),
  ...adminCallIds.map((id) => {
    const { method, path, streams, response = "done.response.json" } = adminCall(id);
    const pattern = new RegExp(`^/__admin${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    const isJson = streams === undefined;
    return {
      method,
      path: pattern,
      type: streams ?? "application/json",
      schema: isJson ? response : undefined,
    };
  }),
  // The inspector.
  { method: "GET", path: /^\/__admin\/?$/, type: "text/html; charset=utf-8", schema: undefined },
];

function expectedOf({ method, target }: RequestParts) {
  const [path = ""] = target.split("?");
  return responses.find((row) => row.method === method && row.path.test(path));
}
