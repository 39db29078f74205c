import { counted } from "../foundation/grammar.js";
import type { AboutReport, ReportLine } from "./report-data.js";

/** A line that a report has if it fits: its value is read only then. */
export interface ReportPart extends Pick<ReportLine, "world" | "target" | "list"> {
  readonly read: () => unknown;
}

/**
 * About how large a report may be, in bytes, so that a browser opens it within seconds. Requests must not take the
 * space of everything else.
 */
const maxSize = { requests: 20_000_000, others: 12_000_000 };

/** About how much is written at once, in characters. */
const pieceSize = 250_000;

/** About how much a line takes without its value, in bytes. */
const lineSize = 100;

/** JSON in a page. `<` is escaped: no text can end the element or begin a comment. */
export function escapedJson(data: unknown): string {
  return escaped(JSON.stringify(data));
}

function escaped(json: string): string {
  return json.replaceAll("<", "\\u003c");
}

/** The size of JSON once it is escaped, in bytes. To count is much faster than to escape. */
function escapedSize(json: string): number {
  let size = Buffer.byteLength(json);
  for (let n = 0; n < json.length; n++) if (json.charCodeAt(n) === 0x3c) size += "\\u003c".length - 1;
  return size;
}

/**
 * The lines of a report in pieces, so that others get their turn.
 * @param parts the most important ones first. Items of lists and texts of bodies are left out if they do not fit
 * @param leftOut what is known to be missing; gets a sentence about what does not fit
 */
export function* reportLines(
  parts: Iterable<ReportPart>,
  version: string,
  leftOut: string[],
): Generator<string> {
  const left = { ...maxSize };
  const missing = new Map<string, number>();
  /** The JSON of a value → the number of its line: worlds have much in common. */
  const written = new Map<string, number>();
  let lines = 0;
  let text = "";
  for (const { world, target, list, read } of parts) {
    const kind = target.includes("/requests") ? "requests" : "others";
    const isNeeded = list === undefined && !target.includes("/body");
    const json = isNeeded || left[kind] > 10_000 ? JSON.stringify(read()) : "";
    const same = written.get(json);
    const size = lineSize + (same === undefined ? escapedSize(json) : 0);
    const fits = json !== "" && (isNeeded || size <= left[kind]);
    if (fits) {
      left[kind] -= size;
      if (kind === "others" && same === undefined) written.set(json, lines);
      const value = same === undefined ? `"value":${escaped(json)}` : `"same":${same}`;
      text += `${escapedJson({ world, target, list }).slice(0, -1)},${value}}\n`;
      lines++;
    } else {
      // Many values that are too large do not take long.
      left[kind] /= 2;
      if (list !== undefined) missing.set(list, (missing.get(list) ?? 0) + 1);
    }
    const isSlow = json !== "" && !fits;
    if (text.length < pieceSize && !isSlow) continue;
    yield text;
    text = "";
  }
  if (missing.size > 0) {
    const limit = (maxSize.requests + maxSize.others) / 1_000_000;
    const counts = [...missing].map(([list, count]) => counted(count, list.replace(/s$/, "")));
    leftOut.push(`The report is limited to about ${limit} MB. It does not include ${counts.join(", ")}.`);
  }
  const value: AboutReport = { version, createdAt: new Date().toISOString(), leftOut };
  yield `${text}${escapedJson({ world: "", target: "", value } satisfies ReportLine)}`;
}
