import { createHash } from "node:crypto";
import { inChunks } from "../foundation/in-chunks.js";
import { MockError } from "../foundation/mock-error.js";
import { notBuilt, readInspectorFiles } from "./inspector.js";

/**
 * The inspector with its data inside, as one file that needs no server and no network, in pieces. Scripts and styles
 * run only if they are ours, by their hash: what callers sent is data, whatever it looks like.
 * @param json of a `ReportData`
 */
export function reportPage(
  json: AsyncIterable<string>,
  files = readInspectorFiles(),
): AsyncGenerator<string, void, undefined> {
  const [page, css, js] = ["index.html", "inspector.css", "inspector.js"].map((name) => files?.get(name));
  if (page === undefined || css === undefined || js === undefined) {
    throw new MockError("not_built", notBuilt);
  }
  const script = js.replaceAll("</script", "<\\/script");
  const policy =
    `default-src 'none'; script-src '${cspHash(script)}'; style-src '${cspHash(css)}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  const [head = "", tail = ""] = page
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
