import type { ErrorRequestHandler } from "express";
import { type FailureCode, failures } from "../contract/failures.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import { sendFailure } from "./send-json.js";

/** The error handler of the app. The client learns nothing about a bug but that there is one. */
export function handleError(report: (bug: unknown) => void): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, req, res, _next) => {
    const { request } = res.locals;
    if (request !== undefined) return request.fail(error);
    if (res.headersSent) {
      report(error);
      // The client must not take half of a response for a whole one.
      res.destroy();
    } else if (error instanceof MockError) {
      const { code, summary: message, details } = error;
      sendFailure(req, res, statusOf(code), { code, message, details });
    } else if (error instanceof URIError) {
      // The router decodes the parameters of a path.
      const message = `There is no ${req.originalUrl}: it cannot be decoded. Write %25 for a percent sign.`;
      sendFailure(req, res, 404, { code: "not_found", message });
    } else {
      report(error);
      const message = "Internal error in usergroup-mock. See its log for the stack trace.";
      sendFailure(req, res, 500, { code: "internal", message });
    }
  };
}

/** The HTTP status for an error code. */
function statusOf(code: MockErrorCode): number {
  if (code in failures) return failures[code as FailureCode].status;
  if (code.startsWith("unknown_")) return 404;
  if (code.startsWith("too_many_")) return 429;
  return statuses[code] ?? 400;
}

const statuses: Partial<Record<MockErrorCode, number>> = {
  not_built: 404,
  timeout: 408,
  aborted: 409,
  group_exists: 409,
};
