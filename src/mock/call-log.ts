import type { Entry } from "../world/journal.js";
import type { LogStyle } from "./mock-options.js";

/** One line a call. Never a token: logs are kept and shown around. */
export function callLog(style: LogStyle): ((world: string, entry: Entry) => void) | undefined {
  if (style === "silent") return undefined;
  const line = style === "json" ? JSON.stringify : pretty;
  return (world, entry) => process.stdout.write(`${line(summary(world, entry))}\n`);
}

function summary(world: string, entry: Entry) {
  const { id, at, operation, outcome, head, reply, durationMs, fault } = entry;
  return {
    at: new Date(at).toISOString(),
    world,
    request: id,
    method: head.method,
    // A path of the service is short; what is longer may be a token that somebody put there.
    path: head.path.split("?")[0]?.replace(/[^/]{32,}/g, "…"),
    operation,
    status: reply?.status ?? null,
    outcome,
    code: reply?.failure?.code ?? null,
    fault,
    durationMs,
  };
}

function pretty({
  at,
  world,
  request,
  method,
  path,
  status,
  code,
  fault,
  durationMs,
}: ReturnType<typeof summary>) {
  const where = world === "default" ? "" : `${world} `;
  const why = [code, fault === null ? null : `(fault ${fault})`].filter((word) => word !== null).join(" ");
  return `${at.slice(11, 23)} ${where}#${request} ${method} ${path} ${status ?? "no answer"} ${why} ${durationMs} ms`.replace(
    / {2,}/g,
    " ",
  );
}

/** Where a defect of the mock itself is told, with its stack. */
export function reportDefect(defect: unknown): void {
  const { stack = String(defect) } = (defect ?? {}) as { stack?: string };
  process.stderr.write(`usergroup-mock: a defect of the mock, please report it: ${stack}\n`);
}
