import { useEffect, useState } from "preact/hooks";
import { isReport } from "./embedded-report.js";
import type { GroupKey } from "./entry-facts.js";
import type { Filter } from "./journal-filter.js";
import { worldName } from "./place.js";

export const views = ["requests", "groups", "faults", "assumptions", "worlds"] as const;
export type View = (typeof views)[number];

/** The state in the URL hash. You can share it, and the browser's Back button works. */
export interface Route {
  readonly view: View;
  /** The earlier epoch that is shown; undefined for the one that goes on. */
  readonly epoch: number | undefined;
  /** The id of the open entry. */
  readonly entry: number | undefined;
  readonly filter: Filter;
  /** The open group. */
  readonly group: GroupKey | undefined;
  /** The search text of the groups view. */
  readonly search: string;
}

export const noFilter: Filter = { text: "", operation: "", outcome: "", group: undefined };
const defaultRoute: Route = {
  view: "requests",
  epoch: undefined,
  entry: undefined,
  filter: noFilter,
  group: undefined,
  search: "",
};

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", ...rest] = path.split("/");
  const view = views.find((known) => known === first) ?? "requests";
  const params = new URLSearchParams(query);
  const group = groupKey(params.get("team"), params.get("group"));
  if (view === "groups") return { ...defaultRoute, view, group, search: params.get("search") ?? "" };
  if (view !== "requests") return { ...defaultRoute, view };
  return {
    ...defaultRoute,
    epoch: countIn(params.get("epoch")),
    entry: countIn(rest[0]),
    filter: {
      text: params.get("text") ?? "",
      operation: params.get("operation") ?? "",
      outcome: params.get("outcome") ?? "",
      group,
    },
  };
}

export function hashOf(to: Partial<Route>): string {
  const { view, epoch, entry, filter, group, search } = { ...defaultRoute, ...to };
  const query = new URLSearchParams();
  if (epoch !== undefined) query.set("epoch", String(epoch));
  if (filter.text) query.set("text", filter.text);
  if (filter.operation) query.set("operation", filter.operation);
  if (filter.outcome) query.set("outcome", filter.outcome);
  if (search) query.set("search", search);
  const shownGroup = group ?? filter.group;
  if (shownGroup !== undefined) {
    query.set("team", String(shownGroup.teamId));
    query.set("group", shownGroup.groupId);
  }
  if (isReport) query.set("world", worldName);
  const path = entry === undefined ? view : `${view}/${entry}`;
  return `#/${path}${query.size > 0 ? `?${query}` : ""}`;
}

/** With `replace`, adds no entry to the browser history. */
export function go(to: Partial<Route>, replace = false): void {
  const hash = hashOf(to);
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Where each view was left: filter and open entry are there again when one comes back. */
const lastHashes = new Map<View, string>();

export function lastHashOf(view: View): string {
  return lastHashes.get(view) ?? hashOf({ view });
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  lastHashes.set(route.view, hashOf(route));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return route;
}

function countIn(text: string | null | undefined): number | undefined {
  return /^\d+$/.test(text ?? "") ? Number(text) : undefined;
}

function groupKey(team: string | null, groupId: string | null): GroupKey | undefined {
  if (!/^-?\d+$/.test(team ?? "") || groupId === null) return undefined;
  return { teamId: Number(team), groupId };
}
