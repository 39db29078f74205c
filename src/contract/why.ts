import { sentence } from "../foundation/grammar.js";
import { fieldOf } from "../foundation/json.js";
import type { Delivery, JournalEntry } from "../generated/types.js";
import { effectTexts } from "./effects.js";

/** What became of the answer, as the first half of a sentence. */
const deliveries: Readonly<Record<Delivery, (status: number | undefined, code: string) => string>> = {
  complete: (status, code) => `The answer was ${status}${code}`,
  cut: (status) => `Only a part of the answer ${status} was sent`,
  none: () => "No answer was sent",
  "caller-left": () => "The caller left before it had the answer",
};

/** What is known of the end of a call. */
type CallEnd = Pick<JournalEntry, "outcome" | "response" | "delivery" | "effect" | "fault" | "notes">;

/** Why a call did not end well, in a sentence; undefined for one that did. */
export function whyOf(entry: CallEnd): string | undefined {
  const { outcome, response, delivery, effect, fault } = entry;
  if (delivery === undefined) return `It ${waitText(fault)}.`;
  if (outcome === "success") return undefined;
  const code = codeOf(entry);
  const answer = deliveries[delivery](
    response?.status,
    code === undefined || code === "fault" ? "" : ` ${code}`,
  );
  const joined = `${answer}${effect === "none" || delivery === "complete" ? ", and " : ", but "}${effectTexts[effect].was}`;
  const causes = causesOf(entry);
  return sentence(`${joined}${causes.length === 0 ? "" : `: ${causes.join("; ")}`}`);
}

/** What a request does that has no response yet. */
export function waitText(fault: number | null): string {
  return fault === null ? "has not been answered yet" : `waits in fault ${fault}`;
}

/** The code of a failure, where the answer tells it. */
export function codeOf({ response }: Pick<CallEnd, "response">): string | undefined {
  const code = fieldOf(fieldOf(response?.body, "error"), "code");
  return typeof code === "string" ? code : undefined;
}

/** The notes of a call, and what its answer says besides. A fault that fired has left a note. */
export function causesOf(entry: Pick<CallEnd, "response" | "notes">): readonly string[] {
  const { response, notes } = entry;
  if (codeOf(entry) === "fault") return notes;
  const message = fieldOf(fieldOf(response?.body, "error"), "message") ?? fieldOf(response?.body, "message");
  const isNew = typeof message === "string" && !notes.some((note) => message.includes(note));
  return isNew ? [...notes, message] : notes;
}
