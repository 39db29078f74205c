import type { ErrorRequestHandler, Request, Response } from "express";
import { type FailureCode, failures } from "../contract/failures.js";
import { MockError, type MockErrorCode } from "../contract/mock-error.js";
import { problemsInLine } from "../foundation/coded-error.js";
import { sentence } from "../foundation/grammar.js";
import { printableLines } from "../foundation/printable.js";
import type { Problem } from "../generated/types.js";
import { isAborted } from "./body.js";
import { InvalidHttp } from "./invalid-http.js";
import { sendJson } from "./send-response.js";

/**
 * The error handler of the app, which Express recognises by its four parameters. A bug is logged with its stack; the
 * client learns only that there is one.
 */
export const handleError: ErrorRequestHandler = (thrown: unknown, req, res, _next) => {
  const { request } = res.locals;
  if (isAborted(thrown)) return request?.respond(undefined);
  let error = whyRejected(thrown, req);
  if (error === undefined || (request !== undefined && !isFailureCode(error.code))) {
    reportInternalError(thrown);
    error = new MockError("internal", "Internal error in usergroup-mock. See its log for the stack trace.");
  }
  const { code, summary, details } = error;
  const invalid = error instanceof InvalidHttp ? error : undefined;
  // The client must not take half of a response for a whole one.
  if (res.headersSent) res.destroy();
  else if (request !== undefined && isFailureCode(code)) request.fail({ code, message: summary }, invalid);
  else {
    const message = summary.endsWith(":") ? sentence(`${summary} ${problemsInLine(details)}`) : summary;
    sendFailure(req, res, invalid?.status ?? findStatus(code), { code, message, details });
  }
};

/** Why the request was rejected; undefined if there is a bug. */
function whyRejected(thrown: unknown, { originalUrl }: Request): MockError | undefined {
  if (thrown instanceof MockError) return thrown;
  if (!(thrown instanceof URIError)) return undefined;
  // The router decodes the parameters of a path.
  return new MockError(
    "not_found",
    `The path ${originalUrl} cannot be decoded. Write %25 for a percent sign.`,
  );
}

/** Rejects a request that reaches no world, in the shape of the service or of the admin API. */
export function sendFailure(
  req: Request,
  res: Response,
  status: number,
  { code, message, details = [] }: { code: string; message: string; details?: readonly Problem[] },
): void {
  // A problem of a fixture also names its file, which a client does not have.
  const problems = details.map(({ path, message }) => ({ path, message }));
  const error = { code, message, ...(problems.length > 0 && { details: problems }) };
  const isAdmin = /^[^?]*\/__admin/.test(req.originalUrl);
  sendJson(res, status, isAdmin ? { error } : { success: 0, error });
}

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

/** Reports an internal error with its stack. */
export function reportInternalError(error: unknown): void {
  const { stack = String(error) } = (error ?? {}) as { stack?: string };
  process.stderr.write(`usergroup-mock: internal error, please report it: ${printableLines(stack)}\n`);
}
