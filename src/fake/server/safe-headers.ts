/** The headers of a response. */
export type Headers = Record<string, string | number | string[]>;

/** The Content-Type of all responses to the service that no profile and no fault changes. */
export const jsonType = "application/json; charset=utf-8";

/** Of every response: a browser never takes it for another type than it says. */
export const nosniff = { "X-Content-Type-Options": "nosniff" } as const;

/** A profile or a fault can send a page with scripts, which would run in the origin of the admin API. */
const sandbox = "sandbox";

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

/** The name of a header as we spell it. Names are case-insensitive. */
export function ourSpelling(name: string): string {
  return ourNames.get(name.toLowerCase()) ?? name;
}

/**
 * Makes a response harmless in a browser. Changes the headers.
 * @param headers all that will be sent, in our spelling
 * @param hasBody whether there is anything that a browser could show
 */
export function makeSafe(headers: Headers, hasBody: boolean): void {
  headers["X-Content-Type-Options"] = "nosniff";
  const type = headers["Content-Type"];
  if (!hasBody || type === jsonType || isJsonType(type)) return;
  const own = headers["Content-Security-Policy"];
  // A browser obeys all policies of a list.
  headers["Content-Security-Policy"] = own === undefined ? sandbox : `${own}, ${sandbox}`;
}

/** Strict, because browsers accept lists, and take the last type of them. */
function isJsonType(type: Headers[string] | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?[\w-]+"? *)?$/i.test(String(type));
}
