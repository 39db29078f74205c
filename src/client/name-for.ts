import { createHash } from "node:crypto";
import { isWorldName } from "../contract/world-name.js";

/** A name of a world or file for a text such as the title of a test: the text itself if it is valid. */
export function nameFor(text: string): string {
  return isWorldName(text) ? text : slugWithHash(text, text);
}

/** Readable, and the same in every run. @param id what the hash is made of */
export function slugWithHash(text: string, id: string): string {
  const words = text.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 50);
  return `${words}-${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
}
