import { useEffect, useState } from "preact/hooks";
import type { GroupKey } from "./entry-facts.js";
import type { Filter } from "./journal-filter.js";

export const views = ["requests", "groups", "faults", "assumptions", "worlds"] as const;
export type View = (typeof views)[number];

/** What the part of the address after # says: it can be shared, and the browser's Back goes through it. */
export interface Route {
  readonly view: View;
  /** The entry that is open. */
  readonly entry: number | undefined;
  readonly filter: Filter;
  /** The group that is open. */
  readonly group: GroupKey | undefined;
  /** What is searched for among groups. */
  readonly search: string;
}

export const noFilter: Filter = { text: "", operation: "", outcome: "", group: undefined };
const start: Route = {
  view: "requests",
  entry: undefined,
  filter: noFilter,
  group: undefined,
  search: "",
};

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", ...rest] = path.split("/");
  const view = views.find((known) => known === first) ?? "requests";
  const asked = new URLSearchParams(query);
  const group = groupKey(asked.get("team"), asked.get("group"));
  if (view === "groups") return { ...start, view, group, search: asked.get("search") ?? "" };
  if (view !== "requests") return { ...start, view };
  return {
    ...start,
    entry: /^\d+$/.test(rest[0] ?? "") ? Number(rest[0]) : undefined,
    filter: {
      text: asked.get("text") ?? "",
      operation: asked.get("operation") ?? "",
      outcome: asked.get("outcome") ?? "",
      group,
    },
  };
}

export function hashOf(to: Partial<Route>): string {
  const { view, entry, filter, group, search } = { ...start, ...to };
  const query = new URLSearchParams();
  if (filter.text) query.set("text", filter.text);
  if (filter.operation) query.set("operation", filter.operation);
  if (filter.outcome) query.set("outcome", filter.outcome);
  if (search) query.set("search", search);
  const named = group ?? filter.group;
  if (named !== undefined) {
    query.set("team", String(named.teamId));
    query.set("group", named.groupId);
  }
  const path = entry === undefined ? view : `${view}/${entry}`;
  return `#/${path}${query.size > 0 ? `?${query}` : ""}`;
}

/** `replace`: without a step for the browser's Back. */
export function go(to: Partial<Route>, replace = false): void {
  const hash = hashOf(to);
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return route;
}

function groupKey(team: string | null, groupId: string | null): GroupKey | undefined {
  if (!/^-?\d+$/.test(team ?? "") || groupId === null) return undefined;
  return { teamId: Number(team), groupId };
}
