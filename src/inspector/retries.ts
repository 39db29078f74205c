import type { JournalEntry } from "../generated/types.js";
import { itemKey } from "./journal-items.js";

/** The id of the attempt before, by the key of a row. The entries are those of one epoch, newest first. */
export function retriesIn(
  epoch: number | undefined,
  entries: readonly JournalEntry[],
): ReadonlyMap<string, number> {
  const retries = new Map<string, number>();
  /** The last attempt of each request that did not end well. */
  const failed = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    const same = sameRequest(entry);
    if (same === undefined) continue;
    const before = failed.get(same);
    if (before !== undefined) retries.set(itemKey(epoch, entry.id), before);
    if (entry.outcome === "success") failed.delete(same);
    else failed.set(same, entry.id);
  }
  return retries;
}

/** Equal for requests that are the same. Undefined where that is not known, because the body was not read. */
function sameRequest({ request }: JournalEntry): string | undefined {
  const { method, path, headers, body } = request;
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
  if (body === null && hasBody) return undefined;
  return JSON.stringify([method, path, headers.authorization, headers["content-type"], body]);
}
