/** Where this page was opened: `/__admin/` or `/worlds/{name}/__admin/`. */
const [, root = "", name] = /^(.*?)(?:\/worlds\/([^/]+))?\/__admin\/$/.exec(location.pathname) ?? [];

export const worldName = name ?? "default";

/** What a program is told to use this world. */
export const baseUrl = `${location.origin}${location.pathname.replace(/\/__admin\/$/, "")}`;

/** The inspector of another world. */
export function inspectorOf(world: string): string {
  return world === "default" ? `${root}/__admin/` : `${root}/worlds/${world}/__admin/`;
}
