import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";

/** Entries by epoch, newest first. */
export type PastJournals = ReadonlyMap<number, readonly JournalEntry[]>;

/** Loads the journals of earlier epochs one by one, and keeps them as long as `epochs` lists them. */
export function usePastJournals(epochs: readonly number[]): PastJournals {
  const [journals, setJournals] = useState<PastJournals>(new Map());
  const kept = useRef(journals);
  useEffect(() => {
    let isActive = true;
    const load = async () => {
      kept.current = new Map(epochs.flatMap((n) => ofEpoch(kept.current, n)));
      for (const n of epochs.filter((one) => !kept.current.has(one))) {
        const page = await admin("listPastRequests", { id: n, query: {} }).catch(() => undefined);
        if (!isActive) return;
        if (page !== undefined) kept.current = new Map([...kept.current, [n, page.requests.toReversed()]]);
        setJournals(kept.current);
      }
    };
    void load();
    return () => {
      isActive = false;
    };
  }, [epochs.join()]);
  return journals;
}

function ofEpoch(journals: PastJournals, n: number): [number, readonly JournalEntry[]][] {
  const entries = journals.get(n);
  return entries === undefined ? [] : [[n, entries]];
}
