import { waitText } from "../contract/why.js";
import { printable } from "../foundation/printable.js";
import type { JournalEntry } from "../generated/types.js";

/** How much of a body is shown, in characters: each of a hundred requests could have 100 kB. */
const maxBodyLength = 1_000;

/** A request, its response and the reasons, in one line that is safe to print. */
export function describeEntry({ id, request, response, delivery, fault, notes }: JournalEntry): string {
  const sent = request.body === null ? "" : ` ${shortJson(request.body)}`;
  const body = response === null || response.body === null ? "" : ` ${shortJson(response.body)}`;
  const part = delivery === undefined || delivery === "complete" ? "" : ` [${delivery}]`;
  const missing = delivery === undefined ? `pending: it ${waitText(fault)}` : "no response";
  const result = response === null ? missing : `${response.status}`;
  const because = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return printable(`#${id} ${request.method} ${request.path}${sent} → ${result}${body}${part}${because}`);
}

function shortJson(body: unknown): string {
  const text = JSON.stringify(body);
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text;
}
