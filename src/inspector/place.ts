import { defaultWorld } from "../contract/world-name.js";
import { report } from "./embedded-report.js";

/** This page is at `/__admin/` or `/worlds/{name}/__admin/`; a report names its world in the hash. */
const [, root = "", name] = /^(.*?)(?:\/worlds\/([^/]+))?\/__admin\/$/.exec(location.pathname) ?? [];

export const worldName = report === undefined ? (name ?? defaultWorld) : reportedWorldName();

/** Where the calls of the whole server are: a world need not live for them. */
export const serverAdmin = `${root}/__admin`;

/** The base URL of this world for the program under test. */
export const baseUrl =
  report === undefined
    ? `${location.origin}${location.pathname.replace(/\/__admin\/$/, "")}`
    : "http://127.0.0.1:4010";

/** The address of the inspector of a world, or of one call in it. */
export function inspectorOf(
  world: string,
  call?: { readonly epoch: number; readonly entry: number },
): string {
  const entry = call === undefined ? "#/requests" : `#/requests/${call.entry}?epoch=${call.epoch}`;
  if (report !== undefined) {
    return `${entry}${call === undefined ? "?" : "&"}world=${encodeURIComponent(world)}`;
  }
  return call === undefined ? pagePath(world) : `${pagePath(world)}${entry}`;
}

/** The journal of a world from one of its resets on. */
export function journalHref(world: string, epoch: number | undefined): string {
  const query = new URLSearchParams();
  if (epoch !== undefined) query.set("epoch", String(epoch));
  if (report !== undefined) query.set("world", world);
  const hash = `#/requests${query.size > 0 ? `?${query}` : ""}`;
  return report !== undefined ? hash : `${pagePath(world)}${hash}`;
}

function pagePath(world: string): string {
  return world === defaultWorld ? `${root}/__admin/` : `${root}/worlds/${world}/__admin/`;
}

/** The world that the hash names; otherwise the first one with a failure, or the first. */
export function reportedWorldName(): string {
  const worlds = report?.worlds ?? [];
  const named = new URLSearchParams(location.hash.split("?")[1]).get("world");
  const failed = worlds.find(({ journal, history }) =>
    [journal, ...history.map((past) => past.journal)].some(({ requests }) =>
      requests.some(({ outcome }) => outcome === "failure"),
    ),
  );
  return named ?? (failed ?? worlds[0])?.name ?? defaultWorld;
}
