import type { JournalEntry } from "../contract/types.js";

/** One call in one line: what was sent, what came back, why. */
export function describeEntry({ id, request, response, delivery, notes }: JournalEntry): string {
  const sent = request.body === null ? "" : ` ${JSON.stringify(request.body)}`;
  const body = response === null || response.body === null ? "" : ` ${JSON.stringify(response.body)}`;
  const part = delivery === undefined || delivery === "complete" ? "" : ` [${delivery}]`;
  const answered =
    response === null ? (delivery === undefined ? "pending" : "no answer") : `${response.status}`;
  const because = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return `#${id} ${request.method} ${request.path}${sent} → ${answered}${body}${part}${because}`;
}
