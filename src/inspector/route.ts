import { useEffect, useState } from "preact/hooks";
import type { Fault } from "../generated/types.js";
import { isReport, report, reportedTest } from "./embedded-report.js";
import type { GroupKey } from "./entry-facts.js";
import type { Filter } from "./journal-filter.js";
import { worldName } from "./urls.js";

export const views = ["requests", "groups", "faults", "assumptions", "worlds"] as const;
export type View = (typeof views)[number];

/** The state in the URL hash, so that links can be shared and the Back button works. */
export interface Route {
  readonly view: View;
  /** The earlier epoch that is shown; undefined for the current one. */
  readonly epoch: number | undefined;
  /** The id of the open entry. */
  readonly entry: number | undefined;
  /** The entry that the open entry is compared with. */
  readonly compared: ComparedEntry | undefined;
  /** Whether the form to send a request is open. Its initial values come from the open entry, if any. */
  readonly sends: boolean;
  /** Whether the journal shows when each request began and ended. */
  readonly timeline: boolean;
  readonly filter: Filter;
  /** The open group. */
  readonly group: GroupKey | undefined;
  /** The fault or assumption that a link leads to. */
  readonly item: string;
  /** The search text of the groups view, or of the tests. */
  readonly search: string;
}

/** An entry of `epoch`; undefined for the epoch of the open entry. */
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
  // The report of a failed test opens on a fault that did not fire: it is the likely cause.
  const unfired = reportedTest === undefined || hash !== "" ? undefined : unfiredFault();
  if (unfired !== undefined) return { ...defaultRoute, view: "faults", item: String(unfired.id) };
  // A report of many worlds opens on the list of tests, failures first.
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
    epoch: numberIn(params.get("epoch")),
    entry: numberIn(second),
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

function unfiredFault(): Fault | undefined {
  const world = report?.worlds.find(({ name }) => name === worldName);
  return world?.faults.find(({ fired }) => fired === 0);
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
  const id = entry === undefined ? encodeURIComponent(item) : entry;
  const path = id === "" ? view : `${view}/${id}`;
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

/** The last hash of each view, so that its tab restores filter and open entry. */
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

/** Scrolls to the item that a link leads to, once it is rendered. */
export function useTarget(item: string, isRendered: boolean): void {
  useEffect(() => {
    if (item !== "" && isRendered) document.querySelector(".target")?.scrollIntoView({ block: "center" });
  }, [item, isRendered]);
}

function numberIn(text: string | null | undefined): number | undefined {
  return /^\d+$/.test(text ?? "") ? Number(text) : undefined;
}

/** `7`, or `2/7` for entry 7 of epoch 2. */
function comparedIn(text: string | null): ComparedEntry | undefined {
  const [, epoch, id] = /^(?:(\d+)\/)?(\d+)$/.exec(text ?? "") ?? [];
  return id === undefined ? undefined : { epoch: numberIn(epoch), id: Number(id) };
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
