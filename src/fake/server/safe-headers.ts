/** The headers of a response. */
export type Headers = Record<string, string | number | string[]>;

/** The Content-Type of all responses to the service that no profile and no fault changes. */
export const jsonType = "application/json; charset=utf-8";

/** Of every response: a browser never takes it for another type than it says. */
export const nosniff = { "X-Content-Type-Options": "nosniff" } as const;

/** A profile or a fault can send a page with scripts, which would run in the origin of the admin API. */
const sandbox = "sandbox";

/**
 * Makes a response harmless in a browser. Changes the headers.
 * @param headers all that will be sent, by names that differ in more than upper and lower case
 * @param hasBody whether there is anything that a browser could show
 */
export function makeSafe(headers: Headers, hasBody: boolean): void {
  // Most responses. The other names are searched for only in what a profile or a fault has changed.
  if (headers["Content-Type"] === jsonType && headers["X-Content-Type-Options"] === "nosniff") return;
  headers[nameIn(headers, "X-Content-Type-Options")] = "nosniff";
  if (!hasBody || isJsonType(headers[nameIn(headers, "Content-Type")])) return;
  const policy = nameIn(headers, "Content-Security-Policy");
  const own = headers[policy];
  // A browser obeys all policies of a list.
  headers[policy] = own === undefined ? sandbox : `${own}, ${sandbox}`;
}

/** The name of a header as it is spelled here. */
function nameIn(headers: Headers, name: string): string {
  return Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

/** Strict, because browsers accept lists, and take the last type of them. */
function isJsonType(type: Headers[string] | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?[\w-]+"? *)?$/i.test(String(type));
}
