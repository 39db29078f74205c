import { fieldOf } from "../foundation/json.js";
import type { JournalEntry } from "../generated/types.js";
import { hashOf } from "./route.js";

/** Why a request failed, in a sentence; the notes of a successful one. */
export function Why({ entry, epoch }: { readonly entry: JournalEntry; readonly epoch: number | undefined }) {
  const { cause, notes } = entry;
  if (cause === null && notes.length === 0) return null;
  const details = detailsOf(entry);
  const texts = cause === null ? notes : [withoutDetails(cause.message, details), ...notes];
  return (
    <section class={`why ${entry.outcome}`} aria-label="Why">
      {cause !== null && <code>{cause.code}</code>}
      {texts.map((text) => (
        <Cause text={text} epoch={epoch} />
      ))}
      {details.length > 0 && (
        <ul aria-label="Errors in the body">
          {details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path || "/"}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Detail = { readonly path: string; readonly message: string };

/** The errors in a body, as the response lists them. */
function detailsOf({ response }: JournalEntry): readonly Detail[] {
  const details = fieldOf(fieldOf(response?.body, "error"), "details");
  return Array.isArray(details)
    ? details.map(({ path, message }) => ({ path: `${path}`, message: `${message}` }))
    : [];
}

/** The message of a response repeats its first details, which the list shows too. */
function withoutDetails(text: string, [first]: readonly Detail[]): string {
  const from = first === undefined ? -1 : text.indexOf(`${first.path || "it"} ${first.message}`);
  return from < 0 ? text : text.slice(0, from).trimEnd();
}

/** Turns “request 9” into a link to that entry. */
function Cause({ text, epoch }: { readonly text: string; readonly epoch: number | undefined }) {
  const parts = text.split(/\b(request \d+)\b/);
  return (
    <p>
      {parts.map((part, i) =>
        i % 2 === 1 ? <a href={hashOf({ epoch, entry: Number(part.split(" ")[1]) })}>{part}</a> : part,
      )}
    </p>
  );
}
