import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { findRaces, type Race } from "./overlaps.js";
import { findGroups, findIssuers, type GroupKey } from "./request-facts.js";
import type { Shown } from "./state.js";

const noEntries: readonly JournalEntry[] = [];
const noGroups: readonly GroupDetail[] = [];

/** What follows from the requests of a test. */
export interface Derived {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** By the id of a request. */
  readonly groups: ReadonlyMap<number, GroupKey>;
  readonly races: readonly Race[];
  /** Token → the request that issued it. */
  readonly issuers: ReadonlyMap<string, number>;
}

/** Derives again only if the requests or the groups have changed. */
export function deriver(): (shown: Shown | undefined) => Derived {
  let [from, groupsFrom] = [noEntries, noGroups];
  let derived: Derived = { entries: [], groups: new Map(), races: [], issuers: new Map() };
  return (shown) => {
    const newestFirst = shown?.entries ?? noEntries;
    const known = shown?.world?.groups ?? noGroups;
    if (newestFirst !== from || known !== groupsFrom) {
      [from, groupsFrom] = [newestFirst, known];
      const entries = newestFirst.toReversed();
      const groups = findGroups(entries, known);
      derived = { entries, groups, races: findRaces(entries, groups), issuers: findIssuers(entries) };
    }
    return derived;
  };
}
