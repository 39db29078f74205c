import { createHash } from "node:crypto";
import { readInspectorFile } from "./inspector-files.js";
import type { ReportedTest } from "./report-data.js";
import { escapedJson } from "./report-lines.js";

/**
 * The inspector with its data inside, as one file that needs no server and no network. Scripts and styles run only if
 * they are ours, by their hash: what clients sent is data, whatever it looks like.
 * @param data its lines, in pieces
 */
export function reportPage(data: Iterable<string>, read = readInspectorFile): Iterable<string> {
  const css = read("inspector.css");
  const script = read("inspector.js").replaceAll("</script", "<\\/script");
  const policy =
    `default-src 'none'; script-src '${cspHash(script)}'; style-src '${cspHash(css)}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  // Functions, because a text may contain `$&`.
  const [start = "", end = ""] = read("index.html")
    .replace(
      "<title>",
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`,
    )
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
    .replace(/\s*<script type="module" src="inspector.js"><\/script>/, "")
    .split("</body>");
  return inOrder([start, startTag("report")], data, [
    "</script>\n",
    `<script type="module">${script}</script>\n  </body>`,
    end,
  ]);
}

function* inOrder(...parts: readonly Iterable<string>[]): Generator<string> {
  for (const part of parts) yield* part;
}

/** The page of a report that is about a failed test. */
export function withTest(page: Iterable<string>, test: ReportedTest): Iterable<string> {
  const html = typeof page === "string" ? page : [...page].join("");
  const end = html.lastIndexOf("</body>");
  return [html.slice(0, end), `${startTag("test")}${escapedJson(test)}</script>\n  `, html.slice(end)];
}

function startTag(id: "report" | "test"): string {
  return `<script type="application/json" id="${id}">`;
}

function cspHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
