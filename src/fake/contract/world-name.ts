import { MockError } from "./mock-error.js";

/** The world of a base URL without `/worlds/{name}`. */
export const defaultWorld = "default";

/** Clients resolve `.` and `..` in a path before they send it, so a world cannot have these names. */
const validName = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

export function isWorldName(name: unknown): name is string {
  return typeof name === "string" && validName.test(name);
}

/** Throws if a world cannot have that name. */
export function checkWorldName(name: unknown): asserts name is string {
  if (isWorldName(name)) return;
  const rule = "Use 1 to 64 of the characters A–Z a–z 0–9 . _ -, but not . or .. alone.";
  throw new MockError("invalid_world", `${JSON.stringify(name)} is not a valid world name. ${rule}`);
}

/** The base URL of a world. */
export function worldUrl(serverUrl: string, name: string): string {
  return name === defaultWorld ? serverUrl : `${serverUrl}/worlds/${name}`;
}
