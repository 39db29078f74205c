import { defaultWorld } from "../contract/world-name.js";

/** This page is at `/__admin/` or `/worlds/{name}/__admin/`. */
const [, root = "", name] = /^(.*?)(?:\/worlds\/([^/]+))?\/__admin\/$/.exec(location.pathname) ?? [];

export const worldName = name ?? defaultWorld;

/** The base URL of this world for the program under test. */
export const baseUrl = `${location.origin}${location.pathname.replace(/\/__admin\/$/, "")}`;

/** The path of the inspector of a world. */
export function inspectorOf(world: string): string {
  return world === defaultWorld ? `${root}/__admin/` : `${root}/worlds/${world}/__admin/`;
}
