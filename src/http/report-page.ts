import { createHash } from "node:crypto";
import { inChunks } from "../foundation/in-chunks.js";
import { readInspectorFile } from "./inspector.js";

/**
 * The inspector with its data inside, as one file that needs no server and no network, in pieces. Scripts and styles
 * run only if they are ours, by their hash: what clients sent is data, whatever it looks like.
 * @param json of a `ReportData`
 */
export function reportPage(
  json: AsyncIterable<string>,
  read = readInspectorFile,
): AsyncGenerator<string, void, undefined> {
  const css = read("inspector.css");
  const script = read("inspector.js").replaceAll("</script", "<\\/script");
  const policy =
    `default-src 'none'; script-src '${cspHash(script)}'; style-src '${cspHash(css)}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  const [head = "", tail = ""] = read("index.html")
    .replace(
      "<title>",
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`,
    )
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
    .replace(/\s*<script type="module" src="inspector.js"><\/script>/, "")
    .split("</body>");
  return framed(
    `${head}<script type="application/json" id="report">`,
    json,
    `</script>\n<script type="module">${script}</script>\n  </body>${tail}`,
  );
}

async function* framed(before: string, json: AsyncIterable<string>, after: string) {
  yield before;
  for await (const chunk of inChunks(json)) {
    // `<` as an escape: no text can end the element or begin a comment.
    yield chunk.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  }
  yield after;
}

function cspHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
