import { styleText } from "node:util";
import { type FailureCode, failures } from "../contract/failures.js";
import { defaultWorld, isWorldName } from "../contract/world-name.js";
import { dateNow } from "../foundation/clock.js";
import { printable } from "../foundation/printable.js";
import type { Cause } from "../generated/types.js";
import type { Settings } from "../options/resolve-options.js";
import type { GroupStore } from "../service/group-store.js";
import type { Rejection } from "../service/result.js";
import type { Seed } from "../service/seed.js";
import type { Epoch } from "../world/epoch.js";
import type { Entry } from "../world/journal/journal.js";
import type { Worlds } from "../world/worlds.js";
import type { RejectedRequest } from "./guard.js";
import { isFailureCode } from "./handle-error.js";

/** Prints one line per request. Logs are kept and shared, so of a request it quotes only the path and the group id. */
export function requestLog(style: Settings["log"], worlds: Worlds, to: "stdout" | "stderr" = "stdout") {
  if (style === "silent") return undefined;
  const write = (line: LogLine) => {
    const stream = process[to];
    // JSON escapes only some of the control characters that a terminal obeys.
    const text = style === "json" ? printable(JSON.stringify(line)) : prettyLine(line, stream.isTTY);
    stream.write(`${text}\n`);
  };
  const { seed } = worlds.parts;
  return {
    completed: (world: string, entry: Entry, { groups }: Epoch) =>
      write(requestLine(world, entry, maskTokens(seed, groups, sentToken(entry)))),
    // For what the guard or the HTTP parser rejects: the journal does not have it.
    rejected: (request: RejectedRequest) => {
      const name = /^\/worlds\/([^/?]*)/.exec(request.path)?.[1];
      const { groups } = worlds.find(isWorldName(name) ? name : defaultWorld).epoch;
      write(rejectedLine(request, maskTokens(seed, groups)));
    },
  };
}

/** What `--log json` prints. `--log pretty` prints the same words. */
type LogLine = ReturnType<typeof requestLine | typeof rejectedLine>;

function requestLine(world: string, entry: Entry, mask: (text: string) => string) {
  const { id, at, operation, head, effect, delivered, response, durationMs, fault } = entry;
  const { code = null, request: because = null } = entry.cause ?? {};
  return {
    event: "request",
    at: new Date(at).toISOString(),
    world: mask(world),
    request: id,
    operation,
    method: head.method,
    // The path of an operation is one of a few.
    path: plainPath(operation === null ? mask(head.path) : head.path),
    group: entry.group === undefined ? null : mask(entry.group.provided_id),
    status: (delivered?.headers && response?.status) ?? null,
    durationMs,
    effect,
    code,
    fault,
    because,
    message: code && describeCause(code, entry.rejection),
  } as const;
}

function rejectedLine({ method, path, code }: RejectedRequest, mask: (text: string) => string) {
  const unknown = { world: null, request: null, operation: null, group: null, durationMs: null };
  return {
    event: "rejected",
    at: new Date(dateNow()).toISOString(),
    ...unknown,
    method,
    path: plainPath(mask(path)),
    status: failures[code].status,
    effect: "none",
    code,
    fault: null,
    because: null,
    message: describeCause(code),
  } as const;
}

/** The causes that are not failures of the service. */
const otherCauses: Readonly<Record<Exclude<Cause["code"], FailureCode>, string>> = {
  injected: "exec or explore injected a failure",
  "caller-left": "the client closed the connection before it had the response",
  reset: "the world was reset or dropped while a fault held the request",
  stopped: "the mock was stopped before the whole response was sent",
};

/** What the cause of a request is, in words of our own: the message of a cause can quote the request. */
function describeCause(code: Cause["code"], rejection?: Rejection): string {
  if (!isFailureCode(code)) return otherCauses[code];
  const { kind, request, isLost } = rejection?.code === code ? rejection : {};
  if (kind === "rotated")
    return `stale token, rotated by #${request}${isLost ? ", whose response was lost" : ""}`;
  const { when, ...row } = failures[code];
  const kinds: Readonly<Record<string, string>> = "kinds" in row ? row.kinds : {};
  const [field, how = ""] = kind?.split(".") ?? [];
  const words =
    code === "invalid_body" && field !== undefined
      ? `/${field} ${fieldProblems[how] ?? "is not valid"}`
      : (kinds[kind ?? ""] ?? when.split(";")[0] ?? "");
  return words.replaceAll("`", "");
}

/** How a field of a body is wrong, by the end of a response's name. */
const fieldProblems: Readonly<Record<string, string>> = {
  missing: "is required",
  type: "has the wrong type",
  empty: "must not be empty",
};

/** Without the query, and without a user name and a password before an @. */
function plainPath(path: string): string {
  return (path.split("?")[0] ?? "").replace(/[^/]*@/g, "…@");
}

/** What the client sent as its API token, with or without a scheme. */
function sentToken({ head }: Entry): string {
  return String(head.headers.authorization ?? "").replace(/^(token|bearer|basic|digest) +/i, "");
}

/** A token that a longer text can contain by chance. */
const shortWord = /^\w{0,7}$/;

/**
 * Masks tokens, also if they are percent-encoded: texts of 64 hex digits, as the mock derives them; the API tokens of the
 * server, of the world and of the request; and tokens of groups. The last ones, and short words, only if they are a whole
 * word, a segment or the end of a path.
 */
function maskTokens(seed: Seed, groups: GroupStore, sent = ""): (text: string) => string {
  const lists = [seed.apiTokens, groups.seed.apiTokens, new Set([sent])];
  const maskWord = (word: string) =>
    lists.some((list) => list.has(word)) || groups.withToken(word) !== undefined ? "…" : word;
  const mask = (plain: string) => {
    let masked = plain;
    for (const list of lists)
      for (const token of list.keys())
        if (masked.includes(token) && !shortWord.test(token)) masked = masked.replaceAll(token, "…");
    // A token may have a few slashes, and be the end of a path, which may have thousands.
    const ends = masked.split("/").slice(-10);
    const end = ends
      .map((_, n) => ends.slice(n).join("/"))
      .find((text) => [text, text.replace(/\?[^?]*$/, "")].some((one) => groups.withToken(one)));
    if (end !== undefined) masked = `${masked.slice(0, -end.length)}…`;
    return masked
      .replace(/[0-9a-f]{64,}/gi, "…")
      .replace(/[^/?]+/g, (segment) => maskWord(segment).replace(/[\w.~+-]+/g, maskWord));
  };
  return (text) => {
    const masked = mask(text);
    if (!masked.includes("%")) return masked;
    const decode = (run: string) => Buffer.from(run.replaceAll("%", ""), "hex").toString();
    const decoded = masked.replace(/(%[0-9a-f]{2})+/gi, decode);
    const again = mask(decoded);
    return again === decoded ? masked : again;
  };
}

const widestCode = Math.max(...Object.keys({ ...failures, ...otherCauses }).map(({ length }) => length));

function prettyLine(line: LogLine, isTerminal: boolean): string {
  const time = line.at.slice(11, 23);
  const { world, request, operation, method, path, group, status, durationMs, effect, code } = line;
  const colour = code === null ? "green" : line.fault === null ? "red" : "yellow";
  const paint = (text: string) => (isTerminal ? styleText(colour, text) : text);
  const where = world === null || world === defaultWorld ? "" : `${world} `;
  const columns = [
    time,
    (request === null ? "-" : `${where}#${request}`).padStart(5),
    (operation ?? method).padEnd(13),
    printable(operation === null ? path : (group ?? "-")).padEnd(20),
    paint(String(status ?? "---")),
    (durationMs === null ? "-" : `${durationMs.toFixed(1)} ms`).padStart(9),
    paint((code ?? effect).padEnd(widestCode)),
    [line.message, line.fault && `(fault ${line.fault})`].filter(Boolean).join(" "),
  ];
  return columns.join("  ").trimEnd();
}
