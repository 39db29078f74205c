import { servicePath } from "../contract/operations.js";
import type { JournalEntry } from "../contract/types.js";
import { baseUrl } from "./place.js";

/** A command that repeats a call, and remarks on how it differs from that call. */
export interface Curl {
  readonly command: string;
  readonly remarks: readonly string[];
}

/** Headers that curl sets itself, or that only concern the original client. */
const skippedHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|content-encoding|accept|accept-encoding|accept-language|user-agent|expect|te|trailer|upgrade|priority|sec-.*)$/;
const mask = "********";

/**
 * @param sent the exact text of the body; null if the mock did not read it
 * @param apiToken replaces a masked API token
 */
export function curlOf({ request }: JournalEntry, sent: string | null, apiToken: string): Curl {
  const remarks: string[] = [];
  const head = request.method === "HEAD" ? "--head" : `-X ${quote(request.method)}`;
  const lines = [`curl ${head} --globoff --path-as-is ${quote(`${baseUrl}${request.path}`)}`];
  for (const [name, value] of Object.entries(request.headers)) {
    if (skippedHeaders.test(name) && !(name === "content-encoding" && sent === null)) continue;
    if (!value.includes(mask)) {
      lines.push(`-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
    } else if (name === "authorization") {
      lines.push(`-H ${quote(`${name}: ${value.replace(mask, apiToken)}`)}`);
      remarks.push(`The API token is masked: the command uses ${apiToken} instead.`);
    } else {
      remarks.push(`The header ${name} is masked: the command omits it.`);
    }
  }
  const length = Number(request.headers["content-length"] ?? 0);
  const hadBody = length > 0 || request.headers["transfer-encoding"] !== undefined;
  // By default, curl sends a form content type with a body.
  if (hadBody && request.headers["content-type"] === undefined) lines.push("-H 'content-type:'");
  if (!hadBody) return { command: command(lines), remarks };
  if (sent !== null) return { command: command([...lines, `--data-raw ${quote(sent)}`]), remarks };
  remarks.push("The mock refused the call before it read the body: the command sends as many filler bytes.");
  const filler = `head -c ${length || 2} /dev/zero | tr '\\0' '0' | `;
  return { command: filler + command([...lines, "--data-binary @-"]), remarks };
}

/** A first call to try in an empty world. */
export function exampleCurl(apiToken: string): string {
  return command([
    `curl -X GET ${quote(`${baseUrl}${servicePath}`)}`,
    `-H ${quote(`Authorization: Token ${apiToken}`)}`,
    "-H 'Content-Type: application/json'",
    `-d '{"user_group_id": "my-group", "name": "My group"}'`,
  ]);
}

function command(lines: readonly string[]): string {
  return lines.join(" \\\n  ");
}

function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
