import { createHash } from "node:crypto";
import type { ReportData } from "../contract/report-data.js";
import { MockError } from "../foundation/mock-error.js";
import { notBuilt, readInspectorFiles } from "./inspector.js";

/**
 * The inspector with its data inside, as one file that needs no server and no network. Scripts and styles run only if
 * they are ours, by their hash: what callers sent is data, whatever it looks like.
 */
export function reportPage(data: ReportData, files = readInspectorFiles()): string {
  const [page, css, js] = ["index.html", "inspector.css", "inspector.js"].map((name) => files?.get(name));
  if (page === undefined || css === undefined || js === undefined) {
    throw new MockError("not_built", notBuilt);
  }
  const script = js.replaceAll("</script", "<\\/script");
  const policy =
    `default-src 'none'; script-src '${cspHash(script)}'; style-src '${cspHash(css)}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  // `<` as an escape: no text can end the element or begin a comment.
  const json = JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return page
    .replace(
      "<title>",
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`,
    )
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
    .replace(/\s*<script type="module" src="inspector.js"><\/script>/, "")
    .replace(
      "</body>",
      () =>
        `<script type="application/json" id="report">${json}</script>\n<script type="module">${script}</script>\n  </body>`,
    );
}

function cspHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
