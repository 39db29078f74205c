import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { repository } from "./package-in-use.js";

/** A code block of a page: its language, its kind, the file that its first line names, and its text. */
export interface PageBlock {
  readonly language: string;
  readonly kind: string;
  readonly file: string;
  readonly text: string;
}

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

/**
 * Pages whose blocks other tests execute: frameworks.ts and set-ups.ts, and in stacks/ those of other frameworks,
 * monorepos, languages and CI. Commands of docker have another program in image.test.ts.
 */
export const elsewhere: readonly string[] = [
  "test-frameworks.md",
  "one-base-url.md",
  "ci-and-other-languages.md",
];

/** The other pages, `README.md` first. documents.test.ts executes their blocks, here and in stacks/. */
export const executedPages: readonly string[] = [
  "README.md",
  ...readdirSync(join(repository, "docs")).filter(
    (name) => name.endsWith(".md") && !elsewhere.includes(name),
  ),
];

const executed = executedPages.flatMap(blocksOfPage);

/** The test files and programs of the README, and those of the other pages, which use docs/the-client.md as program. */
const examples = executed.filter(({ language }) => language === "ts" || language === "js");
export const readmeExamples = examples.slice(0, 3);
export const pageExamples = examples.slice(3);

/** The commands of a page. */
export function shellOf(page: string): readonly string[] {
  return blocksOfPage(page)
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text.trim());
}

/** The only block of this kind on all pages; it may be repeated. */
export function blockOf(language: string, kind: string): PageBlock {
  const found = executed.filter((block) => block.language === language && block.kind === kind);
  expect(new Set(found.map(({ text }) => text)).size, `\`\`\`${language} ${kind}`).toBe(1);
  return found[0] as PageBlock;
}
