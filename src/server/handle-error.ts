import type { ErrorRequestHandler } from "express";
import { type FailureCode, failures } from "../contract/failures.js";
import { MockError, type MockErrorCode } from "../contract/mock-error.js";
import { problemsInLine } from "../foundation/coded-error.js";
import { sentence } from "../foundation/grammar.js";
import { isAborted } from "./body.js";
import { InvalidHttp } from "./invalid-http.js";
import { sendFailure } from "./send-failure.js";

export const internalError = {
  code: "internal",
  message: "Internal error in usergroup-mock. See its log for the stack trace.",
} as const;

/** The error handler of the app. A bug is logged with its stack; the client learns only that there is one. */
export function handleError(report: (bug: unknown) => void): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, req, res, _next) => {
    const { request } = res.locals;
    if (request !== undefined) return request.fail(error);
    if (isAborted(error)) return;
    if (res.headersSent) {
      report(error);
      // The client must not take half of a response for a whole one.
      res.destroy();
    } else if (error instanceof MockError) {
      const { code, summary, details } = error;
      const message = summary.endsWith(":") ? sentence(`${summary} ${problemsInLine(details)}`) : summary;
      const status = error instanceof InvalidHttp ? error.status : findStatus(code);
      sendFailure(req, res, status, { code, message, details });
    } else if (error instanceof URIError) {
      // The router decodes the parameters of a path.
      const message = `The path ${req.originalUrl} cannot be decoded. Write %25 for a percent sign.`;
      sendFailure(req, res, 404, { code: "not_found", message });
    } else {
      report(error);
      sendFailure(req, res, 500, internalError);
    }
  };
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
