import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../foundation/grammar.js";
import { parseJson } from "../foundation/json.js";
import { asError } from "../foundation/located-problem.js";
import { inRunFolder } from "./run-folder.js";

/** About how much the mocks of a run keep in its folder of each kind, in bytes: as much as a report can show. */
const maxKept = 32_000_000;

/** About how large a file of requests is, in bytes: nobody has to read all of them at once. */
const maxFile = 1_000_000;

/** How many records a mock has not kept, because they did not fit. */
interface NotKept {
  readonly requests: number;
  /** Of its groups, faults and assumptions. */
  readonly reports: number;
  /** The first error. Missing if all was kept. */
  readonly reason?: string;
}

/**
 * What one mock keeps for the report, in the folder of one run:
 *
 * - `requests-<mock>.<n>.jsonl`: a `RecordedRequest` for each of its requests, because its process may be killed
 * - `report-<mock>.jsonl`: its report, a `ReportLine` each, written when it stops, instead of its requests
 * - `not-kept-<mock>.json`: a `NotKept`, while it has no report
 *
 * A record that does not fit is not kept, and counted: neither on a full disk, nor beyond `maxKept`.
 */
export class KeptRecords {
  readonly #folder: string;
  readonly #mock: string;
  #notKept: NotKept = { requests: 0, reports: 0 };
  /** The current file of requests, and how much was written into it. */
  #file = 0;
  #written = maxFile;

  /** @param mock names the mock among those of the run */
  constructor(folder: string, mock: string) {
    this.#folder = folder;
    this.#mock = mock;
    // Now: a full disk has room for other numbers in a file, but for no other file.
    inRunFolder(() => writeFileSync(this.#path("not-kept", "json"), JSON.stringify(this.#notKept)));
  }

  /** After the first request that did not fit, none is kept: it may have been written in part. */
  addRequest(line: string): void {
    if (this.#notKept.requests > 0) {
      this.#count("requests");
      return;
    }
    try {
      if (this.#written >= maxFile) {
        if (roomIn(this.#folder, "requests") < 0) throw new Error(noRoom);
        this.#file++;
        this.#written = 0;
      }
      appendFileSync(this.#path("requests", `${String(this.#file).padStart(6, "0")}.jsonl`), line);
      this.#written += Buffer.byteLength(line);
    } catch (error) {
      this.#count("requests", error);
    }
  }

  /** Replaces the requests by the report, which has them, if the whole of it can be kept. @param pieces of its lines */
  addReport(pieces: Iterable<string>): void {
    const file = this.#path("report", "jsonl");
    try {
      let room = roomIn(this.#folder, "report");
      for (const piece of pieces) {
        room -= Buffer.byteLength(piece);
        if (room < 0) throw new Error(noRoom);
        appendFileSync(file, piece);
      }
      const replaced = [`requests-${this.#mock}.`, `not-kept-${this.#mock}.`];
      const names = readdirSync(this.#folder).filter((name) =>
        replaced.some((start) => name.startsWith(start)),
      );
      for (const name of names) rmSync(join(this.#folder, name));
    } catch (error) {
      inRunFolder(() => rmSync(file, { force: true }));
      this.#count("reports", error);
    }
  }

  #path(kind: "requests" | "report" | "not-kept", ending: string): string {
    return join(this.#folder, `${kind}-${this.#mock}.${ending}`);
  }

  #count(what: "requests" | "reports", error?: unknown): void {
    const reason = this.#notKept.reason ?? asError(error).message.slice(0, 100);
    this.#notKept = { ...this.#notKept, [what]: this.#notKept[what] + 1, reason };
    const text = JSON.stringify(this.#notKept);
    // In place: the text never gets shorter.
    inRunFolder(() => writeFileSync(this.#path("not-kept", "json"), text, { flag: "r+" }));
  }
}

const noRoom = `a run keeps at most ${maxKept / 1_000_000} MB of each kind`;

/** How much more of a kind the mocks of a run can keep, in bytes. */
function roomIn(folder: string, kind: "requests" | "report"): number {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${kind}-`));
  const sizes = names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((room, size) => room - size, maxKept);
}

/** What the mocks of a run have not kept, one sentence each. */
export function describeNotKept(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.startsWith("not-kept-"));
  // Written by `KeptRecords`.
  const all = files.map((name) => parseJson(readFileSync(join(folder, name), "utf8")) as NotKept | undefined);
  const read = all.filter((one) => one !== undefined);
  const requests = read.reduce((sum, one) => sum + one.requests, 0);
  const reports = read.reduce((sum, one) => sum + one.reports, 0);
  // On a full disk, files can be created, but nothing can be written into them.
  const unreadable = all.length - read.length;
  const why = `could not be recorded in ${folder} (${read.flatMap(({ reason }) => reason ?? [])[0]}).`;
  return [
    ...(requests > 0 ? [`${counted(requests, "request")} ${why}`] : []),
    ...(reports > 0 ? [`Groups, faults and assumptions of ${counted(reports, "mock")} ${why}`] : []),
    ...(unreadable > 0
      ? [`Requests of ${counted(unreadable, "mock")} may be missing: nothing could be written to ${folder}.`]
      : []),
  ];
}
