import type { JournalEntry } from "../contract/types.js";

/** One call in one line: what was sent, what came back, why. */
export function describeEntry({ id, request, response, notes, fault }: JournalEntry): string {
  const sent = request.body === null ? "" : ` ${JSON.stringify(request.body)}`;
  const answered = response === null ? "no answer" : `${response.status} ${JSON.stringify(response.body)}`;
  const why = [...notes, ...(fault === null ? [] : [`fault ${fault} fired`])];
  const because = why.length === 0 ? "" : ` (${why.join("; ")})`;
  return `#${id} ${request.method} ${request.path}${sent} → ${answered}${because}`;
}
