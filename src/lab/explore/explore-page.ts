import { dirname, relative, resolve, sep } from "node:path";
import { readInspectorFile } from "../../report/report-page.js";
import { type Cell, type Found, isBreak, labelOf, type Part, type ShownCause } from "./findings.js";

/**
 * All results as one page in the style of the inspector, without a script. What fails links to the report of its run.
 * @param path where the page will be: links are relative to it
 * @param command the command that was explored
 */
export function explorePage(
  { titles, parts, lines, legend }: Omit<Found, "json">,
  path: string,
  command: string,
): string {
  const causes = parts.flatMap((part) => part.causes);
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8" />`,
    `<meta name="color-scheme" content="light dark" /><title>explore · usergroup-mock</title>`,
    `<style>${readInspectorFile("inspector.css")}</style></head><body>`,
    `<header class="top"><h1>usergroup-mock</h1><span class="status">explore</span></header>`,
    `<main class="explored-page"><section class="empty"><h2>${escapeHtml(command)}</h2><ul>`,
    ...causes.map((cause) => `<li>${causeHtml(cause, path)}</li>`),
    ...lines.map((line) => `<li>${escapeHtml(line)}</li>`),
    `</ul>`,
    `<p>What fails links to the report of its run. Open “repeat” for the command that repeats it.</p><dl class="legend">`,
    ...Object.entries(legend).map(
      ([result, meaning]) =>
        `<dt><span class="chip ${classOf({ result })}">${labelOf({ result }).toLowerCase()}</span></dt><dd>${escapeHtml(meaning)}</dd>`,
    ),
    `</dl></section>`,
    ...parts.flatMap((part) => partHtml(part, titles, path)),
    `</main></body></html>\n`,
  ].join("\n");
}

function causeHtml({ text, advice, example }: ShownCause, path: string): string {
  const words = `${escapeHtml(text)}${advice && `. ${escapeHtml(advice)}`}`;
  return example.report === undefined ? words : `${words} ${linkHtml(example.report, path, "report")}`;
}

function partHtml({ title, sections }: Part, titles: readonly string[], path: string): string[] {
  return [
    ...(title === undefined ? [] : [`<section class="empty"><h2>${escapeHtml(title)}</h2></section>`]),
    `<div class="scroll"><table class="explored"><thead><tr>${headsHtml("col", titles)}</tr></thead>`,
    ...sections.flatMap(({ title: ofSection, rows }) => [
      `<tbody>`,
      ...(ofSection === undefined
        ? []
        : [`<tr><th scope="rowgroup" colspan="${titles.length}">${escapeHtml(ofSection)}</th></tr>`]),
      ...rows.map(
        ({ heads, cells }) =>
          `<tr>${headsHtml("row", heads)}${cells.map((cell) => cellHtml(cell, path)).join("")}</tr>`,
      ),
      `</tbody>`,
    ]),
    `</table></div>`,
  ];
}

function headsHtml(scope: "row" | "col", heads: readonly string[]): string {
  return heads.map((head) => `<th scope="${scope}">${escapeHtml(head)}</th>`).join("");
}

function classOf({ result }: Pick<Cell, "result">): string {
  if (isBreak({ result })) return "rejected";
  return result === "survives" || result === "passes" ? "passed" : "";
}

function cellHtml(cell: Cell, path: string): string {
  const { report, repeat } = cell;
  const label = report === undefined ? labelOf(cell) : linkHtml(report, path, labelOf(cell));
  const command =
    repeat === undefined
      ? ""
      : `<details><summary>repeat</summary><code>${escapeHtml(repeat)}</code></details>`;
  return `<td class="${classOf(cell)}">${label}${command}</td>`;
}

function linkHtml(file: string, path: string, label: string): string {
  const segments = relative(dirname(resolve(path)), file).split(sep);
  return `<a href="${segments.map(encodeURIComponent).join("/")}">${label}</a>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
