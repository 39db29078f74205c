import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "./package-in-use.js";

/** A code block of a page. */
export interface Block {
  readonly language: string;
  /** The file that its first line, a comment, says it is; empty when it says none. */
  readonly file: string;
  readonly text: string;
}

/** The code blocks of a page in docs/, in their order. */
export async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(join(repository, "docs", page), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const fences = text.match(/^ *```/gm) ?? [];
  if (fences.length !== 2 * blocks.length) throw new Error(`${page} has a block that is not read here`);
  return blocks.map(([, language = "", text = ""]) => {
    const [, file = ""] = /^(?:#|\/\/) (\S+)\n/.exec(text) ?? [];
    return { language, file, text };
  });
}
