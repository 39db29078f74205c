import type { JournalEntry } from "../contract/types.js";
import { baseUrl } from "./place.js";

/** A command that makes a call again, and what it does otherwise than the call did. */
export interface Curl {
  readonly command: string;
  readonly remarks: readonly string[];
}

/** The client's own affair, or curl's. */
const leftOut =
  /^(host|connection|keep-alive|content-length|transfer-encoding|content-encoding|accept|accept-encoding|accept-language|user-agent|expect|te|trailer|upgrade|priority|sec-.*)$/;
const mask = "********";

/**
 * @param sent the body character by character; null where none was read
 * @param apiToken what stands in for a masked one
 */
export function curlOf({ request }: JournalEntry, sent: string | null, apiToken: string): Curl {
  const remarks: string[] = [];
  const head = request.method === "HEAD" ? "--head" : `-X ${quote(request.method)}`;
  const lines = [`curl ${head} --globoff --path-as-is ${quote(`${baseUrl}${request.path}`)}`];
  for (const [name, value] of Object.entries(request.headers)) {
    if (leftOut.test(name) && !(name === "content-encoding" && sent === null)) continue;
    if (!value.includes(mask)) {
      lines.push(`-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
    } else if (name === "authorization") {
      lines.push(`-H ${quote(`${name}: ${value.replace(mask, apiToken)}`)}`);
      remarks.push(`The API token was masked: ${apiToken} stands in its place.`);
    } else {
      remarks.push(`The header ${name} was masked, and is left out.`);
    }
  }
  const length = Number(request.headers["content-length"] ?? 0);
  const hadBody = length > 0 || request.headers["transfer-encoding"] !== undefined;
  // curl would say that a body is a form.
  if (hadBody && request.headers["content-type"] === undefined) lines.push("-H 'content-type:'");
  if (!hadBody) return { command: command(lines), remarks };
  if (sent !== null) return { command: command([...lines, `--data-raw ${quote(sent)}`]), remarks };
  remarks.push(
    "The body was not read, as the call was refused before: as many other bytes stand in its place.",
  );
  const filler = `head -c ${length || 2} /dev/zero | tr '\\0' '0' | `;
  return { command: filler + command([...lines, "--data-binary @-"]), remarks };
}

/** The call that shows a newcomer that the world answers. */
export function firstCurl(apiToken: string): string {
  return command([
    `curl -X GET ${quote(`${baseUrl}/api/user`)}`,
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
