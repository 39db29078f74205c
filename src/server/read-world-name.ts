import type { Request } from "express";
import { defaultWorld } from "../contract/world-name.js";

/** Not `req.params.world`, which is decoded: a world has one URL. */
export function readWorldName({ baseUrl }: Request): string {
  if (!baseUrl.startsWith("/worlds")) return defaultWorld;
  const [, , name = ""] = baseUrl.split("/");
  return name;
}
