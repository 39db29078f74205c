import type { CallSummary } from "../http/service-routes.js";
import type { LogStyle } from "./options.js";

/** One line a call. Never a token: logs are kept and shown around. */
export function callLog(style: LogStyle): ((call: CallSummary) => void) | undefined {
  if (style === "silent") return undefined;
  const line = style === "json" ? (call: CallSummary) => JSON.stringify(call) : pretty;
  return (call) => process.stdout.write(`${line(call)}\n`);
}

function pretty({ at, request, method, path, status, code, durationMs }: CallSummary): string {
  const outcome = code === undefined ? "" : ` ${code}`;
  return `${at.slice(11, 23)} #${request} ${method} ${path} ${status}${outcome} ${durationMs} ms`;
}

/** Where a defect of the mock itself is told, with its stack. */
export function reportDefect(defect: unknown): void {
  const stack = defect instanceof Error ? defect.stack : String(defect);
  process.stderr.write(`usergroup-mock: a defect of the mock, please report it: ${stack}\n`);
}
