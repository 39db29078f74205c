import type { JournalEntry } from "../generated/types.js";

/** Headers that belong to the connection, or that only concern the original client. */
const skippedHeaders =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|content-encoding|accept|accept-encoding|accept-language|user-agent|expect|te|trailer|upgrade|priority|sec-.*)$/;
/** The mask of a secret, with the last characters of a long one. */
const mask = /\*{8}\S{0,4}/;

/** The base URL that the client of a request used, if its Host header is known. */
export function usedUrl({ request }: JournalEntry, baseUrl: string): string {
  const { host } = request.headers;
  const { protocol, pathname } = new URL(baseUrl);
  const url = `${protocol}//${host ?? ""}`;
  return host !== undefined && URL.canParse(url) ? `${url}${pathname.replace(/\/$/, "")}` : baseUrl;
}

/**
 * A shell command that sends a request again.
 * @param sent the exact text of the body; null if none arrived, or if the mock did not read it
 */
export function asCurl({ request }: JournalEntry, sent: string | null, baseUrl: string): string {
  const { method, path } = request;
  const headers = Object.entries(request.headers).filter(([name]) => !skippedHeaders.test(name));
  const head = method === "HEAD" ? "--head" : `-X ${quote(method)}`;
  const lines = [`curl ${head} --globoff --path-as-is ${quote(`${baseUrl}${path}`)}`];
  for (const [name, value] of headers)
    lines.push(`-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  // By default, curl sends a form content type with a body.
  if (sent !== null && request.headers["content-type"] === undefined) lines.push("-H 'content-type:'");
  if (sent !== null) lines.push(`--data-raw ${quote(sent)}`);
  return lines.join(" \\\n  ");
}

/** How the command differs from the request; empty if it does not. */
export function remarkOnCurl({ request }: JournalEntry, sent: string | null): string {
  const masked = Object.entries(request.headers).filter(
    ([name, value]) => !skippedHeaders.test(name) && mask.test(value),
  );
  const hadBody = Number(request.headers["content-length"] ?? 0) > 0;
  const remarks = [
    ...(masked.length > 0 ? [`${masked.map(([name]) => name).join(" and ")} is masked`] : []),
    ...(hadBody && sent === null ? ["the mock did not read the body, so it is missing"] : []),
  ];
  return remarks.length === 0 ? "" : ` Note: ${remarks.join("; ")}.`;
}

function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
