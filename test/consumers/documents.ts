import { expect } from "vitest";
import { blocksOfPage, type PageBlock, pageNames } from "./page-blocks.js";

/** Pages whose blocks are executed by a separate test. */
const elsewhere = new Map([
  ["test-frameworks.md", "test/consumers/package.test.ts and test/stacks/frameworks.test.ts"],
  ["one-base-url.md", "test/consumers/set-ups.ts"],
  ["ci-and-other-languages.md", "test/stacks/other-languages.test.ts and test/stacks/ci-recipes.test.ts"],
]);

/** The other pages, with their blocks: tests/{consumers,stacks}/documents.test.ts execute them. */
export const executedPages: readonly { readonly page: string; readonly blocks: readonly PageBlock[] }[] =
  pageNames.filter((page) => !elsewhere.has(page)).map((page) => ({ page, blocks: blocksOfPage(page) }));

const blocks = executedPages.flatMap((page) => page.blocks);

/** Test files and programs. The small program of the README is used with the test beside it only. */
export const examples = blocks.filter(({ language }) => language === "ts" || language === "js");

/** The examples of the README, and those of the other pages, which use docs/the-client.md as program. */
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
  const found = blocks.filter((block) => block.language === language && block.kind === kind);
  expect(new Set(found.map(({ text }) => text)).size, `\`\`\`${language} ${kind}`).toBe(1);
  return found[0] as PageBlock;
}
