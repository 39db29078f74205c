import { expect } from "vitest";
import { blocksOfPage, type PageBlock, pageNames } from "./page-blocks.js";

/** Pages whose blocks are executed by a separate test. */
const elsewhere = new Map([
  ["test-frameworks.md", "test/consumers/frameworks.test.ts and test/stacks/frameworks.test.ts"],
  ["one-base-url.md", "test/consumers/set-ups.ts"],
  ["other-languages.md", "test/stacks/other-languages.test.ts"],
  ["containers-and-ci.md", "test/stacks/ci-recipes.test.ts and test/stacks/image.test.ts"],
  ["coming-from-nock-or-msw.md", "test/stacks/migration.test.ts"],
  ["beyond-one-process.md", "test/stacks/balancer.test.ts"],
]);

/** The other pages, with their blocks: tests/{consumers,stacks}/documents.test.ts execute them. */
export const executedPages: readonly { readonly page: string; readonly blocks: readonly PageBlock[] }[] =
  pageNames.filter((page) => !elsewhere.has(page)).map((page) => ({ page, blocks: blocksOfPage(page) }));

const blocks = executedPages.flatMap((page) => page.blocks);

/** Test files and programs. */
export const examples = blocks.filter(({ language }) => language === "ts" || language === "js");

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
