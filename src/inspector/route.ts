import { useEffect, useState } from "preact/hooks";
import { isReport, report, reportedTest } from "./embedded-report.js";
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
  /** The entry that the open one is compared with. */
  readonly compared: ComparedEntry | undefined;
  /** Whether the form for a call to send is open; it starts from the entry, if there is one. */
  readonly sends: boolean;
  /** Whether the journal shows when each call began and ended. */
  readonly timeline: boolean;
  readonly filter: Filter;
  /** The open group. */
  readonly group: GroupKey | undefined;
  /** The fault or assumption that a link leads to. */
  readonly item: string;
  /** The search text of the groups view, or of the tests. */
  readonly search: string;
}

/** A request in the epoch of the open one, or in another. */
export interface ComparedEntry {
  readonly epoch: number | undefined;
  readonly id: number;
}

export const noFilter: Filter = { text: "", operation: "", outcome: "", group: undefined };
const defaultRoute: Route = {
  view: "requests",
  epoch: undefined,
  entry: undefined,
  compared: undefined,
  sends: false,
  timeline: false,
  filter: noFilter,
  group: undefined,
  item: "",
  search: "",
};

export function readRoute(hash: string): Route {
  // A fault that did not fire is the first thing to know about a failed test.
  const [unmet] = reportedTest === undefined || hash !== "" ? [] : unmetFaults();
  if (unmet !== undefined) return { ...defaultRoute, view: "faults", item: String(unmet) };
  // Whoever opens a report of many worlds asks first what failed.
  if (hash === "" && (report?.worlds.length ?? 0) > 1) return { ...defaultRoute, view: "worlds" };
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", second = ""] = path.split("/");
  const view = views.find((known) => known === first) ?? "requests";
  const params = new URLSearchParams(query);
  const group = groupKey(params.get("team"), params.get("group"));
  if (view === "worlds") return { ...defaultRoute, view, search: params.get("search") ?? "" };
  if (view === "groups") return { ...defaultRoute, view, group, search: params.get("search") ?? "" };
  if (view !== "requests") return { ...defaultRoute, view, item: decoded(second) };
  return {
    ...defaultRoute,
    epoch: countIn(params.get("epoch")),
    entry: countIn(second),
    compared: comparedIn(params.get("with")),
    sends: params.has("send"),
    timeline: params.has("timeline"),
    filter: {
      text: params.get("text") ?? "",
      operation: params.get("operation") ?? "",
      outcome: params.get("outcome") ?? "",
      group,
    },
  };
}

/** The ids of faults that a test has armed in vain. */
function unmetFaults(): readonly number[] {
  const faults = report?.worlds.find(({ name }) => name === worldName)?.faults ?? [];
  return faults.filter(({ fired }) => fired === 0).map(({ id }) => id);
}

export function hashOf(to: Partial<Route>): string {
  const { view, epoch, entry, compared, sends, timeline, filter, group, item, search } = {
    ...defaultRoute,
    ...to,
  };
  const query = new URLSearchParams();
  if (epoch !== undefined) query.set("epoch", String(epoch));
  if (compared !== undefined) {
    query.set("with", compared.epoch === undefined ? `${compared.id}` : `${compared.epoch}/${compared.id}`);
  }
  if (sends) query.set("send", "");
  if (timeline) query.set("timeline", "");
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
  const place = entry === undefined ? encodeURIComponent(item) : entry;
  const path = place === "" ? view : `${view}/${place}`;
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

/** Scrolls to the item that a link leads to, once it is there. */
export function useTarget(item: string, isThere: boolean): void {
  useEffect(() => {
    if (item !== "" && isThere) document.querySelector(".target")?.scrollIntoView({ block: "center" });
  }, [item, isThere]);
}

function countIn(text: string | null | undefined): number | undefined {
  return /^\d+$/.test(text ?? "") ? Number(text) : undefined;
}

/** `7`, or `2/7` for one of another epoch. */
function comparedIn(text: string | null): ComparedEntry | undefined {
  const [, epoch, id] = /^(?:(\d+)\/)?(\d+)$/.exec(text ?? "") ?? [];
  return id === undefined ? undefined : { epoch: countIn(epoch), id: Number(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function groupKey(team: string | null, groupId: string | null): GroupKey | undefined {
  if (!/^-?\d+$/.test(team ?? "") || groupId === null) return undefined;
  return { teamId: Number(team), groupId };
}
