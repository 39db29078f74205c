import { Ajv2020 } from "ajv/dist/2020.js";
import { adminCall, adminCallIds } from "../../src/contract/admin-calls.js";
import { operationIds, operations, servicePath } from "../../src/contract/operations.js";
import { fieldOf, parseJson } from "../../src/foundation/json.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";
import type { Answered } from "./connection.js";
import { Finding } from "./finding.js";
import type { RequestParts } from "./steps.js";

const rule = "answers are what they should be";
const ajv = new Ajv2020({ strict: false, schemas: Object.values(shippedSchemas) });

/** What no answer may hold, wherever it comes from. */
const stack = /(?:\n|\\n) +at \S|node_modules(?!\/usergroup-mock\/docs\/)|file:\/\//;

/** Checks the bytes of any connection, also of one that was no HTTP. */
export function checkBytes(received: string, hasFaults: boolean): void {
  for (const [, status] of received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
    if (isOurFault(Number(status)) && !hasFaults)
      throw new Finding(rule, `nobody asked for ${status}: ${received.slice(0, 500)}`);
  }
  if (received.includes('"code":"internal"')) throw new Finding(rule, `a defect: ${received.slice(0, 500)}`);
  // The report is a program, and may hold what looks like a stack.
  const words = received.replace(/<script type="module">[\s\S]*?<\/script>/g, "");
  if (stack.test(words)) throw new Finding(rule, `a stack: ${received.slice(0, 1_000)}`);
}

/** 505 says that the caller's version of HTTP is not ours. */
const isOurFault = (status: number) => status >= 500 && status !== 505;

/** Checks the answer to a whole request. */
export function checkAnswer(request: RequestParts, answer: Answered, hasFaults: boolean): void {
  const { status, headers, body, isWhole } = answer;
  const fail = (what: string) =>
    new Finding(rule, `${what} after ${request.method} ${request.target}: ${status} ${body.slice(0, 500)}`);
  const isAdmin = request.target.includes("__admin");
  const mayBeBroken = hasFaults && !isAdmin;
  if (status === 304) throw fail("a 304");
  if (isOurFault(status) && isAdmin) throw fail("nobody asked for this");
  const type = headers.get("content-type");
  const expected = expectedOf(request);
  const isExpected = expected !== undefined && type?.split(";")[0] === expected.type.split(";")[0];
  if (type !== undefined && !type.startsWith("application/json") && !isExpected)
    throw fail(`the type ${type}`);
  if (body === "" || !type?.startsWith("application/json") || mayBeBroken) return;
  // A long answer is cut when its world ends meanwhile, so that nobody takes it for whole.
  if (!isWhole && !isAdmin) throw fail("half an answer");
  const json = isWhole ? parseJson(body) : {};
  if (json === undefined) throw fail("no JSON");
  // With failure-status=always-200, the status tells nothing.
  if (!isWhole || status !== 200 || fieldOf(json, "success") === 0 || expected?.schema === undefined) return;
  if (!ajv.validate(expected.schema, json)) throw fail(`not ${expected.schema}: ${ajv.errorsText()}`);
}

/** What a successful call answers, by method and path. */
const answers: readonly { method: string; path: RegExp; type: string; schema: string | undefined }[] = [
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
  return answers.find((row) => row.method === method && row.path.test(path));
}
