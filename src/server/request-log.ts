import { styleText } from "node:util";
import { defaultWorld } from "../contract/world-name.js";
import { dateNow } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { fieldOf } from "../foundation/json.js";
import { printable, printableLines } from "../foundation/printable.js";
import type { Settings } from "../options/resolve-options.js";
import type { Entry } from "../world/journal/journal.js";
import type { RejectedRequest } from "./guard.js";

/** Lines are left out while this many bytes are unread: a log must not fill the memory. */
const maxUnreadLog = 1_000_000;

/** Prints one line per request, and never a token: logs are kept and shared. */
export interface RequestLog {
  readonly completed: (world: string, entry: Entry) => void;
  /** For requests that the guard rejects: the journal does not have them. */
  readonly refused: (request: RejectedRequest) => void;
}

/** @param isApiToken whether a text is an API token that was sent in a wrong place */
export function requestLog(
  style: Settings["log"],
  isApiToken: (text: string) => boolean,
  to: "stdout" | "stderr" = "stdout",
): RequestLog | undefined {
  if (style === "silent") return undefined;
  let leftOut = 0;
  const write = (lineOf: () => LogLine) => {
    const stream = process[to];
    // JSON escapes only some of the control characters that a terminal obeys.
    const print = (line: LogLine) =>
      stream.write(
        `${style === "json" ? printable(JSON.stringify(line)) : prettyLine(line, stream.isTTY)}\n`,
      );
    if (stream.writableLength > maxUnreadLog) return void leftOut++;
    if (leftOut > 0) print(leftOutLine(leftOut));
    leftOut = 0;
    print(lineOf());
  };
  const mask = (text: string) => maskTokens(text, isApiToken);
  return {
    completed: (world, entry) => write(() => requestLine(world, entry, mask)),
    refused: (request) => write(() => refusedLine(request, mask)),
  };
}

/** What `--log json` prints. */
type LogLine = ReturnType<typeof requestLine | typeof refusedLine | typeof leftOutLine>;

function leftOutLine(calls: number) {
  const message = `${counted(calls, "request")} not logged, because the log is read too slowly`;
  return { event: "left-out", at: timeOf(dateNow()), calls, message } as const;
}

function requestLine(world: string, entry: Entry, mask: (text: string) => string) {
  const { id, at, operation, outcome, head, effect, delivered, reply, durationMs, fault, notes } = entry;
  const sent = delivered?.headers === undefined ? undefined : reply?.status;
  const group =
    fieldOf(fieldOf(entry.performed?.body, "user_group"), "provided_id") ??
    fieldOf(entry.json, "user_group_id");
  return {
    event: "request",
    at: timeOf(at),
    world: mask(world),
    request: id,
    method: head.method,
    path: mask(head.path.split("?")[0] ?? ""),
    operation,
    group: typeof group === "string" ? mask(group) : null,
    status: sent ?? null,
    outcome,
    effect,
    delivery: delivered?.delivery ?? null,
    code: entry.cause?.code ?? null,
    fault,
    message: entry.cause === undefined ? null : mask(entry.cause.message),
    durationMs,
    notes: notes.map(mask),
  } as const;
}

function refusedLine(request: RejectedRequest, mask: (text: string) => string) {
  const { code, method } = request;
  const [path, message] = [mask(request.path.split("?")[0] ?? ""), mask(request.message)];
  const [host, origin] = [request.host, request.origin].map((text) => text && mask(text));
  return { event: "refused", at: timeOf(dateNow()), code, message, method, host, origin, path } as const;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** Tokens that the mock derives are 64 hex digits. In a path, every long part could be another token. */
function maskTokens(text: string, isApiToken: (text: string) => boolean): string {
  const isPath = text.startsWith("/");
  const isSecret = (word: string) => /[0-9a-f]{64}/.test(word) || isApiToken(word);
  // A full stop may follow in a sentence.
  const maskWord = (word: string) => (isSecret(word) || isSecret(word.replace(/[.,:]+$/, "")) ? "…" : word);
  return (
    text
      .replace(/[^/;&=\s]+/g, (part) => (isPath && part.length >= 32 ? "…" : maskWord(part)))
      // In quotes or brackets, as the JSON parser quotes what it could not read.
      .replace(/%[0-9a-f]{2}|[\w.~+-]+/gi, maskWord)
  );
}

/** What each outcome looks like on a terminal. */
const colours = { success: "green", failure: "red", fault: "yellow", pending: "dim" } as const;

function prettyLine(line: LogLine, isTerminal: boolean): string {
  const paint = (colour: (typeof colours)[keyof typeof colours], text: string) =>
    isTerminal ? styleText(colour, text) : text;
  const time = line.at.slice(11, 23);
  if (line.event === "left-out") return `${time} … ${line.message}`;
  if (line.event === "refused") {
    return `${time} ${paint("red", "rejected")} ${printable(`${line.method} ${line.path}: ${line.code}. ${line.message}`)}`;
  }
  const { world, request, method, path, operation, group, status, outcome, effect, code } = line;
  const where = world === defaultWorld ? "" : `${printable(world)} `;
  const what = operation ?? `${method} ${path}`;
  const result = code ?? (effect === "none" ? outcome : effect);
  const columns = [
    time,
    `${where}#${request}`.padStart(5),
    printable(what).padEnd(13),
    printable(group ?? "-").padEnd(20),
    paint(colours[outcome], String(status ?? "---")),
    paint(colours[outcome], result.padEnd(8)),
    `${line.durationMs?.toFixed(1)} ms`.padStart(9),
  ];
  const why = line.notes.length > 0 ? line.notes.join("; ") : (line.message ?? "");
  return `${columns.join("  ")}  ${printable(why)}`.trimEnd();
}

/** Reports an internal error with its stack. */
export function reportInternalError(error: unknown): void {
  const { stack = String(error) } = (error ?? {}) as { stack?: string };
  process.stderr.write(`usergroup-mock: internal error, please report it: ${printableLines(stack)}\n`);
}
