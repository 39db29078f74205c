import type { JournalEntry } from "../generated/types.js";
import { itemKey } from "./journal-items.js";

/** The id of the previous attempt, by the key of a row. @param entries of one epoch, newest first */
export function retriesIn(
  epoch: number | undefined,
  entries: readonly JournalEntry[],
): ReadonlyMap<string, number> {
  const retries = new Map<string, number>();
  /** The last failed attempt of each request. */
  const failed = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    const request = identityOf(entry);
    if (request === undefined) continue;
    const before = failed.get(request);
    if (before !== undefined) retries.set(itemKey(epoch, entry.id), before);
    if (entry.outcome === "success") failed.delete(request);
    else failed.set(request, entry.id);
  }
  return retries;
}

/** Equal for equal requests. Undefined if the body was not read, so that nothing is known about it. */
function identityOf({ request }: JournalEntry): string | undefined {
  const { method, path, headers, body } = request;
  const hasBody = Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
  if (body === null && hasBody) return undefined;
  return JSON.stringify([method, path, headers.authorization, headers["content-type"], body]);
}
