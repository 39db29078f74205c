import type { AssumptionEntry, AssumptionList, JournalEntry, SituationEntry } from "../generated/types.js";

/** What the mock does where the document leaves it open, or where the profile knows it. */
export interface LedgerRow {
  /** The id of an assumption, or a situation. */
  readonly id: string;
  readonly value: string;
  /** What it is about, and why it has its default. */
  readonly words: string;
  readonly why?: string;
  /** Details of the value: a limit, or the outcomes of the situations that an assumption is about. */
  readonly details: readonly string[];
  /** How many requests it decided. */
  readonly uses: number;
  /** The flags that change it, each with what it means. */
  readonly flags: readonly Flag[];
}

interface Flag {
  readonly flag: string;
  readonly meaning: string;
}

/** The three lists of the view. */
interface Ledger {
  readonly known: readonly LedgerRow[];
  readonly used: readonly LedgerRow[];
  readonly unused: readonly LedgerRow[];
}

/** The ledger of a world: what the profile has, and all questions and other situations that are assumed. */
export function readLedger(list: AssumptionList, entries: readonly JournalEntry[]): Ledger {
  const { situations, assumptions } = list;
  const known = situations.filter(({ source }) => source === "profile");
  const questions = assumptions.filter(({ source }) => source !== "profile");
  const others = situations.filter(
    ({ source, assumption }) => assumption === undefined && (source === "assumed" || source === "set"),
  );
  const assumed = [
    ...questions.map((one) => ofAssumption(one, list, entries)),
    ...others.map((one) => ofSituation(one, entries)),
  ];
  return {
    known: known.map((one) => ofSituation(one, entries)),
    used: assumed.filter(({ uses }) => uses > 0),
    unused: assumed.filter(({ uses }) => uses === 0),
  };
}

function ofAssumption(
  { id, value, default: usual, question, why, values, situations: about }: AssumptionEntry,
  { situations }: AssumptionList,
  entries: readonly JournalEntry[],
): LedgerRow {
  const rows = situations.filter(({ situation }) => about.includes(situation));
  // Where each row may have another outcome, the value does not say it.
  const isMixed =
    rows.some(({ source }) => source === "profile") || !values.some((one) => one.value === value);
  const outcomes = rows.map(({ situation, outcome, source }) => {
    return `${situation} → ${outcome}${source === "profile" ? " (known)" : ""}`;
  });
  return {
    id,
    value,
    words: question,
    why,
    details: [...(value === usual ? [] : [`default: ${usual}`]), ...(isMixed ? outcomes : [])],
    uses: entries.filter(({ assumed }) => id in assumed).length,
    flags: values
      .filter((one) => one.value !== value)
      .map((one) => ({ flag: flagFor(id, one.value), meaning: one.meaning })),
  };
}

function ofSituation(
  { situation: id, when, outcome, limit, default: usual, words, source }: SituationEntry,
  entries: readonly JournalEntry[],
): LedgerRow {
  const decided = entries.filter(
    ({ assumed, known, cause }) => id in assumed || known.includes(id) || cause?.situation === id,
  );
  return {
    id,
    value: outcome,
    words: `When ${when}`,
    details: [
      ...(limit === undefined ? [] : [`limit: ${limit}`]),
      ...(source === "set" ? [`default: ${usual}`] : []),
    ],
    uses: decided.length,
    flags: words.filter((word) => word !== outcome).map((word) => ({ flag: flagFor(id, word), meaning: "" })),
  };
}

/** `--assume old-token=accepted`, as it is written in a shell. */
function flagFor(id: string, value: string): string {
  const text = `${id}=${value}`;
  return `--assume ${/^[\w.=-]+$/.test(text) ? text : `"${text}"`}`;
}
