import { createHash } from "node:crypto";
import { dirname, relative, resolve, sep } from "node:path";
import { readInspectorFile } from "../../http/inspector.js";
import { reportBeside } from "./evidence.js";
import type { Matrix, MatrixCell } from "./matrix.js";

/**
 * The matrix as one page in the look of the inspector, without a script. Each cell leads to the report of its run.
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
  const [page, css] = [readInspectorFile("index.html"), readInspectorFile("inspector.css")];
  const hash = createHash("sha256").update(css).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const body = [
    `<header class="top"><h1>usergroup-mock</h1><span class="world">explore</span></header>`,
    `<main><div class="view"><div class="scroll">`,
    `<section class="what-failed"><h2>${escapeHtml(command)}</h2><ul>`,
    ...summary.map((line) => `<li>${escapeHtml(line)}</li>`),
    `</ul></section>`,
    `<table class="explored"><thead><tr>${titles.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join("")}</tr></thead><tbody>`,
    ...rows.map(
      ({ heads, cells }) =>
        `<tr>${heads.map((head) => `<th scope="row">${escapeHtml(head)}</th>`).join("")}${cells.map((cell) => cellHtml(cell, path)).join("")}</tr>`,
    ),
    `</tbody></table></div></div></main>`,
  ];
  return page
    .replace(/<title>.*<\/title>/, () =>
      [
        `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        "<title>explore · usergroup-mock</title>",
      ].join("\n    "),
    )
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
    .replace(/\s*<script type="module" src="inspector.js"><\/script>/, "")
    .replace(/<noscript>.*<\/noscript>/s, () => body.join("\n"));
}

function cellHtml({ label, isBreak, log, world }: MatrixCell, path: string): string {
  const words = isBreak ? `<strong>${escapeHtml(label)}</strong>` : escapeHtml(label);
  const place = isBreak ? ' class="failed"' : "";
  if (log === undefined) return `<td${place}>${words}</td>`;
  const segments = relative(dirname(resolve(path)), reportBeside(log)).split(sep);
  const hash = world === undefined ? "" : `#/requests?world=${encodeURIComponent(world)}`;
  return `<td${place}><a href="${segments.map(encodeURIComponent).join("/")}${hash}">${words}</a></td>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(words: string): string {
  return words.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
