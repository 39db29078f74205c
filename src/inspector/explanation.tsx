import { effects } from "../contract/effects.js";
import { asSentence } from "../foundation/grammar.js";
import type { Cause, JournalEntry } from "../generated/types.js";
import { overlap } from "./overlaps.js";
import { kindOf, remarksOf, tookEffect } from "./request-facts.js";
import { RequestLinks } from "./request-links.js";
import { type Store, useStore } from "./store.js";

interface ExplanationProps {
  readonly entry: JournalEntry;
  readonly isExplained: boolean;
}

/** First the cause, unless the verdict has it, then what it means. */
export function Explanation({ entry, isExplained }: ExplanationProps) {
  const store = useStore();
  const { cause, fault, effect } = entry;
  const rivals = rivalsOf(entry, store);
  const held = entry.notes.slice(remarksOf(entry).length);
  const first =
    kindOf(entry) === "waiting"
      ? fault === null
        ? "It has no response yet."
        : `Fault ${fault} holds it.`
      : cause === null
        ? asSentence(effects[effect].was)
        : causeText(cause);
  const meaning = [
    ...(kindOf(entry) === "rejected" ? [asSentence(effects[effect].was)] : []),
    ...(rivals.length > 0 ? [`It overlapped ${rivals.join(", ")}.`] : []),
    ...held.map(asSentence),
  ];
  return (
    <section class="why" aria-label="What happened">
      {!isExplained && (
        <p>
          <RequestLinks text={first} />
        </p>
      )}
      {meaning.length > 0 && (
        <p>
          <RequestLinks text={meaning.join(" ")} />
        </p>
      )}
      {remarksOf(entry).map((note) => (
        <p key={note}>{note}</p>
      ))}
      {store.canAct && fault !== null && kindOf(entry) === "waiting" && (
        <button
          type="button"
          onClick={() =>
            store.act(() => store.admin("releaseFault", { id: fault }), `Fault ${fault} was released.`)
          }
        >
          Release
        </button>
      )}
    </section>
  );
}

function causeText({ code, request, message }: Cause): string {
  const isStale = code === "unknown_token" && request !== undefined;
  return isStale ? `Stale token: #${request} had rotated it.` : message;
}

/** The requests of the same group that overlapped this one, with what they did. */
function rivalsOf(entry: JournalEntry, { derived: { entries, races } }: Store): readonly string[] {
  const race = races.find((ids) => ids.includes(entry.id)) ?? [];
  return entries
    .filter((other) => race.includes(other.id) && other.id !== entry.id && overlap(entry, other))
    .map((other) => `#${other.id}${tookEffect(other) ? `, which ${other.effect} it` : ""}`);
}
