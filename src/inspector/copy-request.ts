import type { JournalEntry } from "../generated/types.js";

/** A request that can be sent again. */
export interface RepeatableRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  /** How it differs from the request in the journal. */
  readonly remark: string;
}

/** Headers that belong to the connection, or that only concern the original client. */
const skippedHeaders =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|content-encoding|accept|accept-encoding|accept-language|user-agent|expect|te|trailer|upgrade|priority|sec-.*)$/;
/** The mask of a secret, with the last characters of a long one. */
const mask = /\*{8}\S{0,4}/;

/** @param sent the exact text of the body; null if none arrived, or if the mock did not read it */
export function repeatableRequest({ request }: JournalEntry, sent: string | null): RepeatableRequest {
  const { method, path } = request;
  const kept = Object.entries(request.headers).filter(([name]) => !skippedHeaders.test(name));
  const masked = kept.filter(([, value]) => mask.test(value)).map(([name]) => name);
  const hadBody = Number(request.headers["content-length"] ?? 0) > 0;
  const remarks = [
    ...(masked.length > 0 ? [`${masked.join(" and ")} is masked`] : []),
    ...(hadBody && sent === null ? ["the mock did not read the body, so it is missing"] : []),
  ];
  return {
    method,
    path,
    headers: Object.fromEntries(kept),
    text: sent ?? undefined,
    remark: remarks.length === 0 ? "" : ` Note: ${remarks.join("; ")}.`,
  };
}

/** The base URL that the client of a request used, if its Host header is known. */
export function usedUrl({ request }: JournalEntry, baseUrl: string): string {
  const { host } = request.headers;
  const { protocol, pathname } = new URL(baseUrl);
  const url = `${protocol}//${host ?? ""}`;
  return host !== undefined && URL.canParse(url) ? `${url}${pathname.replace(/\/$/, "")}` : baseUrl;
}

/** A shell command that sends the request. */
export function asCurl({ method, path, headers, text }: RepeatableRequest, baseUrl: string): string {
  const head = method === "HEAD" ? "--head" : `-X ${quote(method)}`;
  const lines = [`curl ${head} --globoff --path-as-is ${quote(`${baseUrl}${path}`)}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  // By default, curl sends a form content type with a body.
  if (text !== undefined && headers["content-type"] === undefined) lines.push("-H 'content-type:'");
  if (text !== undefined) lines.push(`--data-raw ${quote(text)}`);
  return lines.join(" \\\n  ");
}

function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
