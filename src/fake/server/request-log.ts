import { styleText } from "node:util";
import { dateNow } from "../../foundation/clock.js";
import { printable } from "../../foundation/printable.js";
import { failures } from "../contract/failures.js";
import { defaultWorld, isWorldName } from "../contract/world-name.js";
import type { GroupStore } from "../service/group-store.js";
import { causeOf, type Entry } from "../world/journal/entry.js";
import type { ServedWorld } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import type { RejectedRequest } from "./guard.js";

/**
 * Prints one line per request. Logs are kept and shared: of a request they have the path, the group id and the message of
 * its cause, and all of it goes through `maskTokens`.
 */
export function requestLog(
  style: "pretty" | "json" | "silent",
  worlds: Worlds,
  to: "stdout" | "stderr" = "stdout",
) {
  if (style === "silent") return undefined;
  const write = (line: LogLine) => {
    const stream = process[to];
    // JSON escapes only some of the control characters that a terminal obeys.
    const text = style === "json" ? printable(JSON.stringify(line)) : prettyLine(line, stream.isTTY);
    stream.write(`${text}\n`);
  };
  const { apiTokens } = worlds.parts.seed;
  return {
    completed: (entry: Entry, { name, groups }: ServedWorld) => {
      const sent = String(entry.head.headers.authorization ?? "").replace(/^\S+ +/, "");
      write(requestLine(name, entry, maskTokens([sent, ...apiTokens.keys()], groups)));
    },
    // For what the guard rejects: the journal does not have it.
    rejected: ({ method, path, code, message }: RejectedRequest) => {
      const at = new Date(dateNow()).toISOString();
      write({ event: "rejected", at, method, path, status: failures[code].status, code, message });
    },
  };
}

/** A request that the guard rejected, with tokens masked: it is printed, in the log and below the error of a test. */
export function maskRejected(
  { path, message, ...request }: RejectedRequest,
  worlds: Worlds,
): RejectedRequest {
  const name = /^\/worlds\/([^/?]*)/.exec(path)?.[1];
  const { groups } = worlds.peek(isWorldName(name) ? name : defaultWorld);
  const mask = maskTokens([...worlds.parts.seed.apiTokens.keys()], groups);
  return { ...request, path: plainPath(path, mask), message: plainMessage(message, path, mask) };
}

type RequestLine = ReturnType<typeof requestLine>;

/** What `--log json` prints. `--log pretty` prints the same words. */
type LogLine = Partial<RequestLine> &
  Pick<RequestLine, "event" | "at" | "method" | "path" | "status" | "code" | "message">;

function requestLine(world: string, entry: Entry, mask: (text: string) => string) {
  const { id, at, operation, head, effect, delivered, durationMs, fault } = entry;
  const cause = causeOf(entry);
  return {
    event: "request",
    at: new Date(at).toISOString(),
    world: mask(world),
    request: id,
    operation,
    method: head.method,
    // The path of an operation is one of a few.
    path: plainPath(head.path, operation === null ? mask : (path) => path),
    group: entry.group === undefined ? null : mask(entry.group.provided_id),
    status: (delivered?.headers && entry.status) ?? null,
    durationMs,
    effect,
    code: cause?.code ?? null,
    fault,
    because: cause?.request ?? null,
    message: cause === undefined ? null : plainMessage(cause.message, head.path, mask),
  };
}

/** Without the query, tokens, and a user name and a password before an @. */
function plainPath(path: string, mask: (text: string) => string): string {
  return withoutUser(mask(path).split("?")[0] ?? "");
}

/** A message, which may quote the path: in a sentence, tokens with other characters than letters and digits are not found. */
function plainMessage(message: string, path: string, mask: (text: string) => string): string {
  const [quoted = ""] = path.split("?");
  return withoutUser(mask(message.replaceAll(quoted, () => plainPath(path, mask))));
}

function withoutUser(text: string): string {
  return text.replace(/[^/\s"]*@/g, "…@");
}

/**
 * Masks tokens, also if they are percent-encoded: texts of 64 hex digits, as the mock derives them; API tokens; and other
 * tokens of groups, if they are the whole text, a segment of a path or a word.
 * @param others API tokens that may be none of the world
 */
function maskTokens(others: readonly string[], groups: GroupStore): (text: string) => string {
  const apiTokens = [...others, ...groups.seed.apiTokens.keys()];
  return (given) => {
    const text = beginningOf(given);
    const decode = (bytes: string) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString();
    const plain = text.replace(/(%[0-9a-f]{2})+/gi, decode);
    // A token may have slashes, and be all of a path below the world.
    const below = plain.replace(/^\/(worlds\/[^/]+\/)?/, "").replace(/\?[^?]*$/, "");
    const words = [plain, below, ...plain.split(/[/?]/), ...(plain.match(/[\w.~+-]+/g) ?? [])];
    const tokens = [
      ...apiTokens.filter((token) => token !== "" && plain.includes(token)),
      ...words.filter((word) => groups.withToken(word) !== undefined),
    ];
    const patterns = ["[0-9a-f]{64,}", ...tokens.sort((a, b) => b.length - a.length).map(tokenPattern)];
    const masked = plain.replace(new RegExp(patterns.join("|"), "gi"), "…");
    return masked === plain ? text : masked;
  };
}

/**
 * At most about `maxLogged` characters. A body can have a group id or a key of many MB: masking it would take seconds, or
 * overflow the stack of a regular expression. Ends with a whole word, because half of a token would not be masked.
 */
function beginningOf(text: string): string {
  if (text.length <= maxLogged) return text;
  let end = maxLogged;
  while (end > 0 && /[\w.~+%-]/.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}

const maxLogged = 2_000;

/** A short token can be a part of another word by chance. */
function tokenPattern(token: string): string {
  return /^\w{1,7}$/.test(token) ? `\\b${token}\\b` : token.replace(/\W/g, "\\$&");
}

const widestCode = Math.max(...Object.keys(failures).map(({ length }) => length));

/** The code of the cause, or what happened in the world, even if the client never learnt it. */
function resultColumn(code: LogLine["code"], effect: RequestLine["effect"]): string {
  if (code === null) return effect;
  return effect === "none" ? code : `${effect}, response lost`;
}

function prettyLine(line: LogLine, isTerminal: boolean): string {
  const { world = defaultWorld, request, operation, durationMs, status, effect = "none", code, fault } = line;
  const colour = fault ? "yellow" : "red";
  const paint = (text: string) => (isTerminal ? styleText(code === null ? "green" : colour, text) : text);
  const where = world === defaultWorld ? "" : `${world} `;
  const columns = [
    line.at.slice(11, 23),
    (request === undefined ? "-" : `${where}#${request}`).padStart(5),
    (operation ?? line.method).padEnd(13),
    printable(operation ? (line.group ?? "-") : line.path).padEnd(20),
    paint(String(status ?? "---")),
    (typeof durationMs === "number" ? `${durationMs.toFixed(1)} ms` : "-").padStart(9),
    paint(resultColumn(code, effect).padEnd(widestCode)),
    printable(line.message ?? ""),
  ];
  return columns.join("  ").trimEnd();
}
