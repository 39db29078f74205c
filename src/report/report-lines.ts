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
const maxSize = { requests: 24_000_000, others: 8_000_000 };

/** About how much is written at once, in characters. */
const pieceSize = 250_000;

/** JSON in a page. `<` is escaped: no text can end the element or begin a comment. */
export function escapedJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/**
 * The lines of a report in pieces: other requests get a response while a piece is written.
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
    const json = isNeeded || left[kind] > 1_000 ? escapedJson(read()) : "";
    const same = written.get(json);
    const value = same === undefined ? `"value":${json}` : `"same":${same}`;
    const line = `${escapedJson({ world, target, list }).slice(0, -1)},${value}}\n`;
    const size = Buffer.byteLength(line);
    if (json !== "" && (isNeeded || size <= left[kind])) {
      left[kind] -= size;
      if (kind === "others" && same === undefined) written.set(json, lines);
      lines++;
      text += line;
    } else {
      // Many values that are too large do not take long.
      left[kind] /= 2;
      if (list !== undefined) missing.set(list, (missing.get(list) ?? 0) + 1);
    }
    if (text.length < pieceSize) continue;
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
