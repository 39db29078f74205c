import { defaultWorld } from "../contract/world-name.js";
import type { Entry } from "../world/journal.js";
import type { LogStyle } from "./option-kinds.js";

/** Lines are left out while this many bytes are unread: a log must not fill the memory. */
const maxUnreadLog = 1_000_000;

/**
 * One line for each call. Never a token: logs are kept and shared.
 * @param isApiToken whether a part of a path is an API token, put there by mistake
 */
export function callLog(
  style: LogStyle,
  isApiToken: (part: string) => boolean,
): ((world: string, entry: Entry) => void) | undefined {
  if (style === "silent") return undefined;
  const line = style === "json" ? JSON.stringify : pretty;
  let leftOut = 0;
  return (world, entry) => {
    const { stdout } = process;
    if (stdout.writableLength > maxUnreadLog) {
      leftOut++;
      return;
    }
    if (leftOut > 0) {
      const why = "nobody was reading this log";
      stdout.write(
        `${style === "json" ? JSON.stringify({ leftOut, why }) : `… ${leftOut} calls left out: ${why}`}\n`,
      );
      leftOut = 0;
    }
    stdout.write(`${line(summary(world, entry, isApiToken))}\n`);
  };
}

function summary(world: string, entry: Entry, isApiToken: (part: string) => boolean) {
  const { id, at, operation, outcome, head, reply, durationMs, fault } = entry;
  const [path = ""] = head.path.split("?");
  // Paths of the service are short; a long part may be a token.
  const shown = path.replace(/[^/;&=]+/g, (part) => (part.length >= 32 || isApiToken(part) ? "…" : part));
  return {
    at: new Date(at).toISOString(),
    world: isApiToken(world) || /^[0-9a-f]{64}$/.test(world) ? "…" : world,
    request: id,
    method: head.method,
    path: shown,
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
  const where = world === defaultWorld ? "" : `${world} `;
  const why = [code, fault === null ? null : `(fault ${fault})`].filter((word) => word !== null).join(" ");
  return `${at.slice(11, 23)} ${where}#${request} ${method} ${path} ${status ?? "no answer"} ${why} ${durationMs} ms`.replace(
    / {2,}/g,
    " ",
  );
}

/** Reports a defect of the mock itself, with its stack. */
export function reportDefect(defect: unknown): void {
  const { stack = String(defect) } = (defect ?? {}) as { stack?: string };
  process.stderr.write(`usergroup-mock: a defect of the mock, please report it: ${stack}\n`);
}
