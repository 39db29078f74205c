import { sentence } from "../foundation/grammar.js";
import { fieldOf } from "../foundation/json.js";
import type { Delivery, JournalEntry } from "../generated/types.js";
import { effects } from "./effects.js";

/** What happened to the response, as the first half of a sentence. */
const deliveries: Readonly<Record<Delivery, (status: number | undefined, code: string) => string>> = {
  complete: (status, code) => `The response was ${status}${code}`,
  cut: (status) => `Only part of the ${status} response was sent`,
  none: () => "No response was sent",
  "caller-left": () => "The caller disconnected before it received the response",
};

/** How a request ended. */
type RequestEnd = Pick<JournalEntry, "outcome" | "response" | "delivery" | "effect" | "fault" | "notes">;

/** Why a request did not succeed, in a sentence; undefined if it did. */
export function whyOf(entry: RequestEnd): string | undefined {
  const { outcome, delivery, effect, fault } = entry;
  if (delivery === undefined) return `It ${waitText(fault)}.`;
  if (outcome === "success") return undefined;
  const code = codeOf(entry);
  const response = deliveries[delivery](
    entry.response?.status,
    code === undefined || code === "fault" ? "" : ` ${code}`,
  );
  const joined = `${response}${effect === "none" || delivery === "complete" ? ", and " : ", but "}${effects[effect].was}`;
  const causes = causesOf(entry);
  return sentence(`${joined}${causes.length === 0 ? "" : `: ${causes.join("; ")}`}`);
}

/** The state of a request that has no response yet. */
export function waitText(fault: number | null): string {
  return fault === null ? "has no response yet" : `is waiting in fault ${fault}`;
}

/** The code of a failure, if the response has one. */
export function codeOf({ response }: Pick<RequestEnd, "response">): string | undefined {
  const code = fieldOf(fieldOf(response?.body, "error"), "code");
  return typeof code === "string" ? code : undefined;
}

/** The notes, and the message of the response if it adds something. A fault that fired has left a note. */
export function causesOf(entry: Pick<RequestEnd, "response" | "notes">): readonly string[] {
  const { response, notes } = entry;
  if (codeOf(entry) === "fault") return notes;
  const message = fieldOf(fieldOf(response?.body, "error"), "message") ?? fieldOf(response?.body, "message");
  const isNew = typeof message === "string" && !notes.some((note) => message.includes(note));
  return isNew ? [...notes, message] : notes;
}
