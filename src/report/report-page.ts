import { existsSync, readFileSync } from "node:fs";
import { MockError } from "../fake/contract/mock-error.js";
import type { PageFile } from "../fake/server/admin-handlers.js";
import { crypto } from "../foundation/crypto.js";
import type { ReportedTest, TestOfReport } from "./report-data.js";
import { escapedJson } from "./report-lines.js";

/** Its files are beside the bundle of the package, or beside the sources. */
export function readInspectorFile(name: PageFile): string {
  const file = ["../inspector/", "../generated/inspector/"]
    .map((directory) => new URL(directory + name, import.meta.url))
    .find((url) => existsSync(url));
  if (file !== undefined) return readFileSync(file, "utf8");
  const advice =
    "In a clone, run npm run build. In a program that you bundle, keep the package usergroup-mock external.";
  throw new MockError("not_built", `The files of the inspector are missing. ${advice}`);
}

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
  const before = start + dataStart;
  const after = `</script>\n<script type="module">${script}</script>\n  </body>${end}`;
  return inOrder([before], data, [after]);
}

const dataStart = '<script type="application/json" id="report">';

/** The lines in the page of a report. No text in them can end the element. */
export function dataOf(page: string): string {
  const from = page.indexOf(dataStart) + dataStart.length;
  return page.slice(from, page.indexOf("</script>", from));
}

function* inOrder(...lists: readonly Iterable<string>[]): Generator<string> {
  for (const list of lists) yield* list;
}

/** The page of a report that is about a failed test. @param world of the test, which may be one of many */
export function withTest(page: Iterable<string>, world: string, test: ReportedTest): Iterable<string> {
  const html = [...page].join("");
  const end = html.lastIndexOf("</body>");
  const json = escapedJson({ ...test, world } satisfies TestOfReport);
  const data = `<script type="application/json" id="test">${json}</script>\n  `;
  return [html.slice(0, end), data, html.slice(end)];
}

function cspHash(text: string): string {
  return `sha256-${crypto().createHash("sha256").update(text).digest("base64")}`;
}
