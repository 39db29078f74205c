import { report } from "./embedded-report.js";

/** The test whose requests are shown: the newest one, the current one of a world, or one that the reader chose. */
export type Place =
  | { readonly follows: "newest" }
  | { readonly follows: "world"; readonly world: string }
  | { readonly follows: "nothing"; readonly world: string; readonly epoch: number };

/** What is shown of it. */
export type View =
  | { readonly name: "requests"; readonly request?: number }
  | { readonly name: "groups" | "faults" | "assumptions" };

/** The state of the page that is in its URL, so that links can be shared and the Back button works. */
export interface Route {
  readonly place: Place;
  readonly view: View;
}

/** This page is at `/__admin/` or `/worlds/{name}/__admin/`. */
const [, path = "", worldOfPage] = /^(.*?)(?:\/worlds\/([^/]+))?\/__admin\/$/.exec(location.pathname) ?? [];

/** The base URL of the server, as the reader wrote it. Not used in a report. */
export const serverUrl = `${location.origin}${path}`;

/** The hash is `#/requests/7?world=w3&epoch=2`. */
export function readRoute(hash: string): Route {
  const [words = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name, item] = words.split("/");
  const params = new URLSearchParams(query);
  return { place: placeIn(params), view: viewIn(name, item) };
}

function placeIn(params: URLSearchParams): Place {
  const world = params.get("world") ?? (report === undefined ? worldOfPage : undefined);
  if (world === undefined) return { follows: "newest" };
  const epoch = numberIn(params.get("epoch"));
  return epoch === undefined ? { follows: "world", world } : { follows: "nothing", world, epoch };
}

function viewIn(name: string | undefined, item: string | undefined): View {
  if (name === "groups" || name === "faults" || name === "assumptions") return { name };
  const request = numberIn(item);
  return request === undefined ? { name: "requests" } : { name: "requests", request };
}

function numberIn(text: string | null | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}

/** Names of worlds need no encoding. */
export function hashOf({ place, view }: Route): string {
  const parts: string[] = [];
  if (place.follows !== "newest" && (place.world !== worldOfPage || report !== undefined)) {
    parts.push(`world=${place.world}`);
  }
  if (place.follows === "nothing") parts.push(`epoch=${place.epoch}`);
  const item = view.name === "requests" && view.request !== undefined ? `/${view.request}` : "";
  return `#/${view.name}${item}${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

export function go(route: Route): void {
  location.hash = hashOf(route);
}
