import type { LocatedProblem } from "../../foundation/located-problem.js";

/** Headers that frame the response or name its journal entry: the mock sets them. */
const ownHeaders =
  /^(content-length|transfer-encoding|connection|keep-alive|date|trailer|usergroup-mock-.*)$/i;

/** Headers that a profile, which many responses have, must not set either. */
const ownInProfiles = /^(content-encoding|upgrade|access-control-.*|x-content-type-options)$/i;

/** What is wrong with the headers of a response that a fault or a profile sends. */
export function headerProblems(
  headers: Readonly<Record<string, unknown>>,
  by: "fault" | "profile",
): LocatedProblem[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `/headers/${name}`;
    // Assigning to __proto__ adds no header.
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name === "__proto__")
      return { path, message: "is not a header name" };
    const isOwn = ownHeaders.test(name) || (by === "profile" && ownInProfiles.test(name));
    if (isOwn) return { path, message: "is set by the mock" };
    // The schema rejects other values.
    if (typeof value !== "string" || /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return [];
    return { path, message: "must be Latin-1 text without control characters or line breaks" };
  });
}

/** Headers of ours that a profile or a fault can replace, by their names in lower case. */
const ourNames: ReadonlyMap<string, string> = new Map(
  [
    "Content-Type",
    "Cache-Control",
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "WWW-Authenticate",
    "Allow",
  ].map((name) => [name.toLowerCase(), name]),
);

/** Headers with their names as we spell them: names are case-insensitive. The later one of two replaces the earlier one. */
export function inOurSpelling<Value>(headers: readonly (readonly [name: string, value: Value])[]) {
  const byName = new Map<string, readonly [string, Value]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    byName.set(lower, [ourNames.get(lower) ?? name, value]);
  }
  return Object.fromEntries(byName.values());
}
