import type { JournalEntry } from "../contract/types.js";
import type { Entry } from "./journal.js";

const masked = "********";

/** Names of headers that can carry credentials. */
const secret =
  /authorization|cookie|token|secret|passw|passphrase|pwd|credential|session|jwt|bearer|dpop|signature|(api|access|auth|private|subscription)[-_]?key|(^|[-_])(auth|pass)([-_]|$)/;

/**
 * An entry as the admin API and `requests()` show it. An API token that no fixture lists is masked: somebody may
 * have pointed production credentials at us.
 */
export function showEntry(entry: Entry, isListed: (apiToken: string) => boolean): JournalEntry {
  const { id, operation, outcome, head, effect, delivered, durationMs, decisions, fault, notes } = entry;
  const mask = (name: string, value: string) => {
    if (!secret.test(name)) return value;
    if (!name.endsWith("authorization")) return masked;
    const [, scheme = "", token = ""] = /^(token|bearer|basic|digest) (.+)$/i.exec(value) ?? [];
    return isListed(token) ? value : `${scheme} ${masked}`.trimStart();
  };
  const headers = Object.entries(head.headers).map(([name, value]) => {
    return [name, mask(name, Array.isArray(value) ? value.join(", ") : String(value))];
  });
  return {
    id,
    at: new Date(entry.at).toISOString(),
    operation,
    outcome,
    request: {
      method: head.method,
      path: head.path,
      headers: Object.fromEntries(headers),
      body: entry.json,
    },
    response: delivered?.head === undefined ? null : { ...parseHead(delivered.head), body: entry.sentJson },
    effect,
    ...(delivered && { delivery: delivered.delivery }),
    durationMs,
    assumed: decisions.values,
    fault,
    notes: [...notes],
  };
}

/** Status and headers, from the text that was sent. */
function parseHead(text: string): { status: number; headers: Record<string, string> } {
  const [statusLine = "", ...lines] = text.trimEnd().split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status: Number(statusLine.split(" ")[1]), headers: Object.fromEntries(headers) };
}
