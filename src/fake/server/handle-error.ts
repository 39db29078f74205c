import type { ErrorRequestHandler } from "express";
import { sentence } from "../../foundation/grammar.js";
import { fieldOf } from "../../foundation/json.js";
import { problemsInLine } from "../../foundation/located-problem.js";
import { printableLines } from "../../foundation/printable.js";
import { type FailureCode, failures } from "../contract/failures.js";
import { MockError, type MockErrorCode } from "../contract/mock-error.js";
import { abortedType } from "./body.js";
import { sendJson } from "./send-response.js";
import type { ServiceRequest } from "./service-request.js";

/**
 * The error handler of the app, which Express recognises by its four parameters. A bug is logged with its stack; the
 * client learns only that there is one.
 */
export const handleError: ErrorRequestHandler = (thrown: unknown, req, res, _next) => {
  /** Undefined for a request to the admin API. */
  const request: ServiceRequest | undefined = res.locals.request;
  if (fieldOf(thrown, "type") === abortedType) return request?.respond(undefined);
  // The router decodes the parameters of a path.
  const undecodable = `The path ${req.originalUrl} cannot be decoded. Write %25 for a percent sign.`;
  const error = thrown instanceof URIError ? new MockError("not_found", undecodable) : thrown;
  const isBug = !(error instanceof MockError) || (request !== undefined && !isFailureCode(error.code));
  const internal = "Internal error in usergroup-mock. See its log for the stack trace.";
  if (isBug) {
    const { stack = String(error) }: { stack?: string } = Object(error);
    process.stderr.write(`usergroup-mock: internal error, please report it: ${printableLines(stack)}\n`);
  }
  const { code, summary, details } = isBug ? new MockError("internal", internal) : error;
  // The client must not take half of a response for a whole one.
  if (res.headersSent) res.destroy();
  else if (request !== undefined && isFailureCode(code)) request.fail({ code, message: summary });
  else {
    const message = summary.endsWith(":") ? sentence(`${summary} ${problemsInLine(details)}`) : summary;
    // A problem of a fixture also names its file, which a client does not have.
    const problems = details.map(({ path, message }) => ({ path, message }));
    const failure = { code, message, ...(problems.length > 0 && { details: problems }) };
    const isAdmin = /^[^?]*\/__admin/.test(req.originalUrl);
    sendJson(res, findStatus(code), isAdmin ? { error: failure } : { success: 0, error: failure });
  }
};

export function isFailureCode(code: string): code is FailureCode {
  return code in failures;
}

function findStatus(code: MockErrorCode): number {
  if (isFailureCode(code)) return failures[code].status;
  if (code.startsWith("unknown_")) return 404;
  return statuses[code] ?? 400;
}

const statuses: Partial<Record<MockErrorCode, number>> = {
  not_built: 404,
  timeout: 408,
  aborted: 409,
  group_exists: 409,
};
