import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { crypto } from "../foundation/crypto.js";
import { counted } from "../foundation/grammar.js";
import { parseJson } from "../foundation/json.js";
import { asError } from "../foundation/located-problem.js";
import { makeRoom } from "./make-room.js";
import { inRunFolder } from "./run-folder.js";

/** About how much is written before older requests are removed to make room for more, in bytes. */
const stepBytes = 1_000_000;

/** What a mock could not record, because the disk was full or the folder not writable. */
interface Lost {
  readonly requests: number;
  /** Of its groups, faults and assumptions. */
  readonly reports: number;
  /** The first error. */
  readonly reason?: string;
}

/** A file of this size has a block of the disk. Its text can be replaced although the disk is full. */
const lostFileSize = 400;

/**
 * What one mock keeps for the report, in the folder of one run:
 *
 * - `requests-<mock>.<n>.jsonl`: a `RecordedRequest` for each of its requests, because its process may be killed
 * - `report-<mock>.jsonl`: its report, a `ReportLine` each, written when it stops, instead of its requests
 * - `lost-<mock>.json`: a `Lost`
 */
export class KeptRecords {
  readonly #folder: string;
  readonly #mock: string;
  #lost: Lost = { requests: 0, reports: 0 };
  #written = 0;
  /** The file for requests, each of about `stepBytes`, so that nobody has to read all of them at once. */
  #requests = "";
  /** What separates a line from one that could be written in part only. */
  #before = "";

  /** @param mock names the mock among those of the run */
  constructor(folder: string, mock: string) {
    this.#folder = folder;
    this.#mock = mock;
    inRunFolder(() => writeFileSync(this.#path("lost", "json"), textOf(this.#lost)));
  }

  addRequest(line: string): void {
    const n = String(Math.floor(this.#written / stepBytes)).padStart(6, "0");
    const file = this.#path("requests", `${n}.jsonl`);
    this.#written += Buffer.byteLength(line);
    try {
      if (file !== this.#requests) makeRoom(this.#folder, file);
      this.#requests = file;
      appendFileSync(file, this.#before + line);
      this.#before = "";
    } catch (error) {
      this.#before = "\n";
      this.#lose("requests", error);
    }
  }

  /** Replaces the requests by the report, if the whole of it can be kept. @param pieces of its lines */
  addReport(pieces: Iterable<string>): void {
    const file = this.#path("report", "jsonl");
    try {
      let unchecked = stepBytes;
      for (const piece of pieces) {
        if (unchecked >= stepBytes) {
          makeRoom(this.#folder, file);
          unchecked = 0;
        }
        appendFileSync(file, piece);
        unchecked += Buffer.byteLength(piece);
      }
      const isRequests = (name: string) => name.startsWith(`requests-${this.#mock}.`);
      for (const name of readdirSync(this.#folder).filter(isRequests)) rmSync(join(this.#folder, name));
    } catch (error) {
      inRunFolder(() => rmSync(file, { force: true }));
      this.#lose("reports", error);
    }
  }

  #path(kind: "requests" | "report" | "lost", ending: string): string {
    return join(this.#folder, `${kind}-${this.#mock}.${ending}`);
  }

  #lose(what: "requests" | "reports", error: unknown): void {
    const reason = this.#lost.reason ?? asError(error).message.slice(0, 100);
    this.#lost = { ...this.#lost, [what]: this.#lost[what] + 1, reason };
    inRunFolder(() => {
      const file = openSync(this.#path("lost", "json"), "r+");
      writeSync(file, textOf(this.#lost), 0);
      closeSync(file);
    });
  }
}

/** A name for a mock. */
export function newMockName(): string {
  return `${process.pid}-${crypto().randomBytes(6).toString("hex")}`;
}

function textOf(lost: Lost): string {
  return JSON.stringify(lost).padEnd(lostFileSize);
}

/** What the mocks of a run could not record, one sentence each. */
export function describeLost(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.startsWith("lost-"));
  const lost = files.map((name) => readFileSync(join(folder, name), "utf8")).map(readLost);
  const requests = lost.reduce((sum, one) => sum + one.requests, 0);
  const reports = lost.reduce((sum, one) => sum + one.reports, 0);
  const why = `could not be recorded in ${folder} (${lost.flatMap(({ reason }) => reason ?? [])[0]}).`;
  const sentences = [];
  if (requests > 0) sentences.push(`${counted(requests, "request")} ${why}`);
  if (reports > 0) sentences.push(`Groups, faults and assumptions of ${counted(reports, "mock")} ${why}`);
  if (isFull(folder))
    sentences.push(`Nothing more can be written to ${folder}. Requests of some mocks may be missing.`);
  return sentences;
}

/** Of a mock that could not even create its file, there is only an empty one. */
function readLost(text: string): Lost {
  // Written by `textOf`.
  return (parseJson(text) as Lost | undefined) ?? { requests: 0, reports: 0 };
}

function isFull(folder: string): boolean {
  const file = join(folder, "space");
  try {
    writeFileSync(file, " ".repeat(10_000));
    return false;
  } catch {
    return true;
  } finally {
    rmSync(file, { force: true });
  }
}
