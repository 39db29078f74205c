import { styleText } from "node:util";
import { defaultWorld } from "../contract/world-name.js";
import { dateNow } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { fieldOf } from "../foundation/json.js";
import { printable, printableLines } from "../foundation/printable.js";
import type { RejectedRequest } from "../http/guard.js";
import type { Entry } from "../world/journal/journal.js";
import type { LogStyle } from "./world.js";

/** Lines are left out while this many bytes are unread: a log must not fill the memory. */
const maxUnreadLog = 1_000_000;

/** One line for each call. Never a token: logs are kept and shared. */
export interface RequestLog {
  readonly answered: (world: string, entry: Entry) => void;
  /** A call that came from the wrong place: it is in no journal. */
  readonly refused: (call: RejectedRequest) => void;
}

/** @param isApiToken whether a text is an API token, put there by mistake */
export function requestLog(
  style: LogStyle,
  isApiToken: (text: string) => boolean,
  to: "stdout" | "stderr" = "stdout",
): RequestLog | undefined {
  if (style === "silent") return undefined;
  // JSON escapes some control characters only, and a terminal may be what reads it.
  const show =
    style === "json"
      ? (line: LogLine) => printable(JSON.stringify(line))
      : (line: LogLine) => prettyLine(line, process[to].isTTY);
  let leftOut = 0;
  const write = (line: () => LogLine) => {
    const stream = process[to];
    if (stream.writableLength > maxUnreadLog) {
      leftOut++;
      return;
    }
    if (leftOut > 0) {
      const message = `${counted(leftOut, "call")} left out: nobody was reading this log`;
      stream.write(`${show({ event: "left-out", at: timeOf(dateNow()), calls: leftOut, message })}\n`);
      leftOut = 0;
    }
    stream.write(`${show(line())}\n`);
  };
  const mask = (text: string) => maskTokens(text, isApiToken);
  return {
    answered: (world, entry) => write(() => requestLine(world, entry, mask)),
    refused: (call) => write(() => refusedLine(call, mask)),
  };
}

/** What `--log json` prints. */
type LogLine = ReturnType<typeof requestLine> | ReturnType<typeof refusedLine> | LeftOutLine;

interface LeftOutLine {
  readonly event: "left-out";
  readonly at: string;
  readonly calls: number;
  readonly message: string;
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
    code: reply?.failure?.code ?? null,
    fault,
    message: reply?.failure === undefined ? null : mask(reply.failure.message),
    durationMs,
    notes: notes.map(mask),
  } as const;
}

function refusedLine({ code, method, ...call }: RejectedRequest, mask: (text: string) => string) {
  const [path, message] = [mask(call.path.split("?")[0] ?? ""), mask(call.message)];
  const [host, origin] = [call.host, call.origin].map((text) => text && mask(text));
  return { event: "refused", at: timeOf(dateNow()), code, message, method, host, origin, path } as const;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** Derived tokens are 64 hex digits. Others may stand in a path, where long parts are rare. */
function maskTokens(text: string, isApiToken: (text: string) => boolean): string {
  const isPath = text.startsWith("/");
  const isSecret = (word: string) => /[0-9a-f]{64}/.test(word) || isApiToken(word);
  const maskWord = (word: string) => {
    // In a sentence, a full stop may follow.
    return isSecret(word) || isSecret(word.replace(/[.,:]+$/, "")) ? "…" : word;
  };
  return (
    text
      .replace(/[^/;&=\s]+/g, (part) => (isPath && part.length >= 32 ? "…" : maskWord(part)))
      // In quotes or brackets, as a parser of JSON cites what it could not read.
      .replace(/%[0-9a-f]{2}|[\w.~+-]+/gi, maskWord)
  );
}

/** What each outcome looks like on a terminal. */
const colours = { success: "green", failure: "red", fault: "yellow", pending: "dim" } as const;

function prettyLine(line: LogLine, isTerminal: boolean): string {
  const paint = (colour: Colour, text: string) => (isTerminal ? styleText(colour, text) : text);
  const time = line.at.slice(11, 23);
  if (line.event === "left-out") return `${time} … ${line.message}`;
  if (line.event === "refused") {
    return `${time} ${paint("red", "refused")} ${printable(`${line.method} ${line.path}: ${line.code}. ${line.message}`)}`;
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

type Colour = (typeof colours)[keyof typeof colours];

/** Reports a defect of the mock itself, with its stack. */
export function reportDefect(defect: unknown): void {
  const { stack = String(defect) } = (defect ?? {}) as { stack?: string };
  process.stderr.write(`usergroup-mock: a defect of the mock, please report it: ${printableLines(stack)}\n`);
}
