import { defaultWorld } from "../contract/world-name.js";
import { report } from "./embedded-report.js";

/** This page is at `/__admin/` or `/worlds/{name}/__admin/`; a report names its world in the hash. */
const [, root = "", name] = /^(.*?)(?:\/worlds\/([^/]+))?\/__admin\/$/.exec(location.pathname) ?? [];

export const worldName = report === undefined ? (name ?? defaultWorld) : reportedWorldName();

/** The base of admin calls that concern the whole server. They do not create a world. */
export const serverAdmin = `${root}/__admin`;

/** The base URL of this world for the program under test. */
export const baseUrl =
  report === undefined
    ? `${location.origin}${location.pathname.replace(/\/__admin\/$/, "")}`
    : "http://127.0.0.1:4010";

/** The URL of the journal of a world, of one of its epochs, or of one entry. */
export function journalUrl(world: string, { epoch, entry }: { epoch?: number; entry?: number } = {}): string {
  const query = new URLSearchParams();
  if (epoch !== undefined) query.set("epoch", String(epoch));
  if (report !== undefined) query.set("world", world);
  const hash = `#/requests${entry === undefined ? "" : `/${entry}`}${query.size > 0 ? `?${query}` : ""}`;
  if (report !== undefined) return hash;
  return `${root}${world === defaultWorld ? "" : `/worlds/${world}`}/__admin/${hash}`;
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
