import { report } from "./embedded-report.js";

/** The test whose requests are shown: that of the latest request, the current one of a world, or one that the reader chose. */
export type Place =
  | { readonly follows: "latest" }
  | { readonly follows: "world"; readonly world: string }
  | { readonly follows: "nothing"; readonly world: string; readonly epoch: number };

/** What is shown of it. */
export type View =
  | { readonly name: "requests"; readonly request?: number }
  | { readonly name: "assumptions"; readonly row?: string }
  | { readonly name: "groups" | "faults" };

/** The state of the page that is in its URL, so that links can be shared and the Back button works. */
export interface Route {
  readonly place: Place;
  readonly view: View;
}

/** This page is at `/__admin/` or `/worlds/{name}/__admin/`. */
const [, path = "", worldOfPage] = /^(.*?)(?:\/worlds\/([^/]+))?\/__admin\/$/.exec(location.pathname) ?? [];

/** The base URL of the server, as the reader wrote it. Not used in a report. */
export const serverUrl = `${location.origin}${path}`;

/** The hash is `#/requests/7?world=w3&epoch=2` or `#/assumptions/old-token`. */
export function readRoute(hash: string): Route {
  const [words = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name, item] = words.split("/");
  const params = new URLSearchParams(query);
  return { place: placeIn(params), view: viewIn(name, item) };
}

function placeIn(params: URLSearchParams): Place {
  const world = params.get("world") ?? (report === undefined ? worldOfPage : undefined);
  if (world === undefined) return { follows: "latest" };
  const epoch = numberIn(params.get("epoch"));
  return epoch === undefined ? { follows: "world", world } : { follows: "nothing", world, epoch };
}

function viewIn(name: string | undefined, item: string | undefined): View {
  if (name === "groups" || name === "faults") return { name };
  if (name === "assumptions") return item ? { name, row: decodeURIComponent(item) } : { name };
  const request = numberIn(item);
  return request === undefined ? { name: "requests" } : { name: "requests", request };
}

function numberIn(text: string | null | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}

export function hashOf({ place, view }: Route): string {
  // Names of worlds need no encoding.
  const parts: string[] = [];
  if (place.follows !== "latest" && (place.world !== worldOfPage || report !== undefined)) {
    parts.push(`world=${place.world}`);
  }
  if (place.follows === "nothing") parts.push(`epoch=${place.epoch}`);
  return `#/${[view.name, ...itemOf(view)].join("/")}${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

function itemOf(view: View): readonly (string | number)[] {
  if (view.name === "requests") return view.request === undefined ? [] : [view.request];
  if (view.name === "assumptions") return view.row === undefined ? [] : [encodeURIComponent(view.row)];
  return [];
}

export function go(route: Route): void {
  location.hash = hashOf(route);
}
