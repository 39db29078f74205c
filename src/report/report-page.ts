import { createHash } from "node:crypto";
import { readInspectorFile } from "./inspector-files.js";
import type { ReportData } from "./report-data.js";

/**
 * The inspector with its data inside, as one file that needs no server and no network. Scripts and styles run only if
 * they are ours, by their hash: what clients sent is data, whatever it looks like.
 */
export function reportPage(data: ReportData, read = readInspectorFile): string {
  const css = read("inspector.css");
  const script = read("inspector.js").replaceAll("</script", "<\\/script");
  const policy =
    `default-src 'none'; script-src '${cspHash(script)}'; style-src '${cspHash(css)}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  // Functions, because a text may contain `$&`.
  return read("index.html")
    .replace(
      "<title>",
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`,
    )
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
    .replace(/\s*<script type="module" src="inspector.js"><\/script>/, "")
    .replace(
      "</body>",
      () => `${dataElement("report", data)}\n<script type="module">${script}</script>\n  </body>`,
    );
}

/** Data in a page. `<` is escaped: no text can end the element or begin a comment. */
export function dataElement(id: "report" | "test", data: unknown): string {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${id}">${json}</script>`;
}

function cspHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
