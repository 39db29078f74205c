import { waitText } from "../contract/why.js";
import { printable } from "../foundation/printable.js";
import type { JournalEntry } from "../generated/types.js";

/** How much of a body is shown, in characters: of a hundred calls, each could be 100 kB. */
const maxBodyLength = 1_000;

/** One call in one line: what was sent, what came back, why. Safe to print. */
export function describeEntry({ id, request, response, delivery, fault, notes }: JournalEntry): string {
  const sent = request.body === null ? "" : ` ${shortJson(request.body)}`;
  const body = response === null || response.body === null ? "" : ` ${shortJson(response.body)}`;
  const part = delivery === undefined || delivery === "complete" ? "" : ` [${delivery}]`;
  const missing = delivery === undefined ? `pending: it ${waitText(fault)}` : "no answer";
  const answered = response === null ? missing : `${response.status}`;
  const because = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return printable(`#${id} ${request.method} ${request.path}${sent} → ${answered}${body}${part}${because}`);
}

function shortJson(body: unknown): string {
  const text = JSON.stringify(body);
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text;
}
