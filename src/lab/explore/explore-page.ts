import { dirname, relative, resolve, sep } from "node:path";
import { readInspectorFile } from "../../report/inspector-files.js";
import { isBreak, reportBeside } from "./evidence.js";
import type { Matrix, MatrixCell } from "./matrix.js";

/**
 * The matrix as one page in the style of the inspector, without a script. Each cell links to the report of its run.
 * @param path where the page will be: links are relative to it
 * @param command the command that was explored
 * @param summary what was found, line by line
 */
export function explorePage(
  { titles, rows }: Matrix,
  path: string,
  command: string,
  summary: readonly string[],
): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8" />`,
    `<meta name="color-scheme" content="light dark" /><title>explore · usergroup-mock</title>`,
    `<style>${readInspectorFile("inspector.css")}</style></head><body>`,
    `<header class="top"><h1>usergroup-mock</h1><span class="status">explore</span></header>`,
    `<main class="explored-page"><section class="empty"><h2>${escapeHtml(command)}</h2><ul>`,
    ...summary.map((line) => `<li>${escapeHtml(line)}</li>`),
    `</ul>`,
    `<p>Each cell links to the report of its run and has the command that repeats it.`,
    `<span class="chip passed">the tests pass</span> <span class="chip rejected">the tests fail</span></p></section>`,
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

const passing = ["survives", "passes"];

function cellHtml({ result, label, log, world, repeat }: MatrixCell, path: string): string {
  const [start, text] = isBreak({ result })
    ? ['<td class="rejected">', `<strong>${escapeHtml(label)}</strong>`]
    : [passing.includes(result) ? '<td class="passed">' : "<td>", escapeHtml(label)];
  if (log === undefined) return `${start}${text}</td>`;
  const command = repeat === undefined ? "" : `<small><code>${escapeHtml(repeat)}</code></small>`;
  const segments = relative(dirname(resolve(path)), reportBeside(log)).split(sep);
  const hash = world === undefined ? "" : `#/requests?world=${encodeURIComponent(world)}`;
  return `${start}<a href="${segments.map(encodeURIComponent).join("/")}${hash}">${text}</a>${command}</td>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
