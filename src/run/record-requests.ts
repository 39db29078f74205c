import { join } from "node:path";
import { writeText } from "../foundation/save-text.js";
import type { JournalEntry, RequestBody } from "../generated/types.js";
import { appendJsonLine } from "./json-lines.js";
import type { Run } from "./run.js";

/** A completed request to a mock of a run. */
export interface RecordedRequest {
  readonly world: string;
  /** The base URL of the mock. */
  readonly url: string | undefined;
  /** The epoch in which it began. */
  readonly n: number;
  readonly label?: string;
  readonly entry: JournalEntry;
  readonly bodies: RequestBody;
}

/** Records a request together with its response: the process of the mock may be killed later. */
export function recordRequest({ instructions, id }: Run, request: () => RecordedRequest): void {
  if (instructions.reportsTo.length === 0) return;
  const line = request();
  for (const folder of instructions.reportsTo) appendJsonLine(folder, `report-${id}.jsonl`, line);
}

/** Records everything that a mock knows when it stops. @param report returns the data of its report */
export async function recordAll({ instructions, id }: Run, report: () => object): Promise<void> {
  for (const folder of instructions.reportsTo) {
    try {
      await writeText(join(folder, `report-${id}.json`), JSON.stringify(report()));
    } catch {
      // The command has ended, or the disk is full. The recorded requests are still there.
    }
  }
}
