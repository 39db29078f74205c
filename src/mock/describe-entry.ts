import { pendingText } from "../contract/fault-kinds.js";
import { printable } from "../foundation/printable.js";
import type { JournalEntry } from "../generated/types.js";

/** How much of a body is shown, in characters: each of a hundred requests could have 100 kB. */
const maxBodyLength = 1_000;

/** A request, its response and the reasons, in one line that is safe to print. */
export function describeEntry({
  id,
  request,
  response,
  delivery,
  fault,
  cause,
  notes,
}: JournalEntry): string {
  const sent = request.body === null ? "" : ` ${shortJson(request.body)}`;
  const body = response === null || response.body === null ? "" : ` ${shortJson(response.body)}`;
  const part = delivery === undefined || delivery === "complete" ? "" : ` [${delivery}]`;
  const missing = delivery === undefined ? `pending: it ${pendingText(fault)}` : "no response";
  const result = response === null ? missing : `${response.status}`;
  const reasons = [...(cause === null ? [] : [cause.message]), ...notes];
  const because = reasons.length === 0 ? "" : ` (${reasons.join(" ")})`;
  return printable(`#${id} ${request.method} ${request.path}${sent} → ${result}${body}${part}${because}`);
}

function shortJson(body: unknown): string {
  const text = JSON.stringify(body);
  return text.length > maxBodyLength ? `${text.slice(0, maxBodyLength)}…` : text;
}
