import type { ErrorRequestHandler, Request, Response } from "express";
import { sentence } from "../../foundation/grammar.js";
import { fieldOf } from "../../foundation/json.js";
import { asError, problemsInLine } from "../../foundation/located-problem.js";
import { note } from "../../foundation/terminal.js";
import { type FailureCode, failures } from "../contract/failures.js";
import { MockError, type MockErrorCode } from "../contract/mock-error.js";
import { abortedType } from "./read-body.js";
import { sendJson } from "./send-response.js";
import type { ServiceRequest } from "./service-request.js";

/** The error handler of the app, which Express recognises by its four parameters. */
export const handleError: ErrorRequestHandler = (thrown: unknown, req, res, _next) => {
  /** Undefined for a request to the admin API. */
  const request: ServiceRequest | undefined = res.locals.request;
  if (fieldOf(thrown, "type") === abortedType) return request?.respond(undefined);
  const error = explainThrown(thrown, req.originalUrl);
  // The client must not take half of a response for a whole one.
  if (res.headersSent) res.destroy();
  else if (request === undefined) sendError(req, res, error);
  // What the service rejects is not thrown, so this shows a bug.
  else
    request.fail({ code: "internal", message: (error.code === "internal" ? error : logBug(error)).summary });
};

/** What a client may know of an error. */
function explainThrown(thrown: unknown, url: string): MockError {
  if (thrown instanceof MockError) return thrown;
  // The router decodes the parameters of a path.
  if (thrown instanceof URIError)
    return new MockError("not_found", `The path ${url} cannot be decoded. Write %25 for a percent sign.`);
  return logBug(thrown);
}

/** A bug is logged with its stack. The client learns only that there is one. */
function logBug(thrown: unknown): MockError {
  const { stack, message } = asError(thrown);
  note(`internal error, please report it: ${stack ?? message}`);
  return new MockError("internal", "Internal error in usergroup-mock. See its log for the stack trace.");
}

/** Responds to a request of the admin API, or to one that reaches no world. */
function sendError(req: Request, res: Response, { code, summary, details }: MockError): void {
  const message = summary.endsWith(":") ? sentence(`${summary} ${problemsInLine(details)}`) : summary;
  // A problem of a fixture also names its file, which a client does not have.
  const problems = details.map(({ path, message }) => ({ path, message }));
  const failure = { code, message, ...(problems.length > 0 && { details: problems }) };
  const isAdmin = /^[^?]*\/__admin/.test(req.originalUrl);
  sendJson(res, findStatus(code), isAdmin ? { error: failure } : { success: 0, error: failure });
}

function isFailureCode(code: string): code is FailureCode {
  return code in failures;
}

function findStatus(code: MockErrorCode): number {
  return isFailureCode(code) ? failures[code].status : (adminStatuses[code] ?? 400);
}

/** The statuses of errors that only the admin API has. All others are about invalid input. */
const adminStatuses: Partial<Record<MockErrorCode, number>> = {
  unknown_epoch: 404,
  unknown_fault: 404,
  unknown_request: 404,
  unknown_world: 404,
  not_built: 404,
  timeout: 408,
  aborted: 409,
  group_exists: 409,
};
