import { dirname, relative, resolve, sep } from "node:path";
import { readInspectorFile } from "../../report/report-page.js";
import { type Cell, type Found, isBreak, labelOf, reportBeside } from "./findings.js";

/**
 * The matrix as one page in the style of the inspector, without a script. Each cell links to the report of its run.
 * @param path where the page will be: links are relative to it
 * @param command the command that was explored
 */
export function explorePage(
  { titles, rows, conclusion, byTest, legend }: Omit<Found, "json">,
  path: string,
  command: string,
): string {
  const used = new Set(rows.flatMap(({ cells }) => cells.map(({ result }) => result)));
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8" />`,
    `<meta name="color-scheme" content="light dark" /><title>explore · usergroup-mock</title>`,
    `<style>${readInspectorFile("inspector.css")}</style></head><body>`,
    `<header class="top"><h1>usergroup-mock</h1><span class="status">explore</span></header>`,
    `<main class="explored-page"><section class="empty"><h2>${escapeHtml(command)}</h2><ul>`,
    ...[...conclusion, ...byTest].map((line) => `<li>${escapeHtml(line)}</li>`),
    `</ul>`,
    `<p>Each cell links to the report of its run. Open “repeat” for the command that repeats it.</p><dl class="legend">`,
    ...Object.entries(legend)
      .filter(([result]) => used.has(result))
      .map(
        ([result, meaning]) =>
          `<dt><span class="chip ${classOf(result)}">${result}</span></dt><dd>${escapeHtml(meaning)}</dd>`,
      ),
    `</dl></section>`,
    `<div class="scroll"><table class="explored"><thead><tr>${headsHtml("col", titles)}</tr></thead><tbody>`,
    ...rows.map(
      ({ heads, cells }) =>
        `<tr>${headsHtml("row", heads)}${cells.map((cell) => cellHtml(cell, path)).join("")}</tr>`,
    ),
    `</tbody></table></div></main></body></html>\n`,
  ].join("\n");
}

function headsHtml(scope: "row" | "col", heads: readonly string[]): string {
  return heads.map((head) => `<th scope="${scope}">${escapeHtml(head)}</th>`).join("");
}

function classOf(result: string): string {
  if (isBreak({ result })) return "rejected";
  return result === "survives" || result === "passes" ? "passed" : "";
}

function cellHtml(cell: Cell, path: string): string {
  const { result, log, repeat = "", world } = cell;
  const start = `<td class="${classOf(result)}">`;
  const text = isBreak(cell) ? `<strong>${labelOf(cell)}</strong>` : labelOf(cell);
  if (log === undefined) return `${start}${text}</td>`;
  const command = `<details><summary>repeat</summary><code>${escapeHtml(repeat)}</code></details>`;
  const segments = relative(dirname(resolve(path)), reportBeside(log)).split(sep);
  const hash = world === undefined ? "" : `#/requests?world=${encodeURIComponent(world)}`;
  return `${start}<a href="${segments.map(encodeURIComponent).join("/")}${hash}">${text}</a>${command}</td>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
