import { isWorldName } from "../fake/contract/world-name.js";
import { crypto } from "../foundation/crypto.js";

/** A name of a world or file for a text such as the title of a test: the text itself if it is valid. */
export function nameFor(text: string): string {
  return isWorldName(text) ? text : slugWithHash(text, text);
}

/** Readable, and the same in every run. @param id what the hash of 64 bits is made of */
export function slugWithHash(text: string, id: string): string {
  const hash = crypto().createHash("sha256").update(id).digest("hex").slice(0, 16);
  const words = text.match(/[A-Za-z0-9]+/g);
  return words === null ? hash : `${words.join("-").slice(0, 47)}-${hash}`;
}
