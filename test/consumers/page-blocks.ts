import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./package-in-use.js";

/** A code block of a page: its language, its kind, the file that its first line names, and its text. */
export interface PageBlock {
  readonly language: string;
  readonly kind: string;
  readonly file: string;
  readonly text: string;
}

/** The pages for users: `README.md`, and those of docs/ by their names. */
export const pageNames: readonly string[] = [
  "README.md",
  ...readdirSync(join(repository, "docs"))
    .filter((name) => name.endsWith(".md"))
    .sort(),
];

export function textOfPage(page: string): string {
  return readFileSync(join(repository, page === "README.md" ? page : `docs/${page}`), "utf8");
}

/** The code blocks of a page, in order. */
export function blocksOfPage(page: string): readonly PageBlock[] {
  return blocksOf(textOfPage(page), page);
}

/** The code blocks below a heading, up to the next heading of the same level. */
export function blocksOfSection(page: string, heading: string): readonly PageBlock[] {
  const [, section] = textOfPage(page).split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${page} has no section ${heading}`);
  return blocksOf(section.split("\n## ")[0] ?? "", page);
}

function blocksOf(text: string, page: string): readonly PageBlock[] {
  const blocks = [...text.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms)];
  const fences = text.match(/^ *```/gm) ?? [];
  if (fences.length !== 2 * blocks.length)
    throw new Error(`${page} has a block that this parser does not support`);
  return blocks.map(([, language = "", kind = "", text = ""]) => {
    const [, file = ""] = /^(?:#|\/\/) (\S+)\n/.exec(text) ?? [];
    return { language, kind, file, text };
  });
}
