import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageInUse } from "../consumers/package-in-use.js";
import { blocksOfPage, type PageBlock } from "../consumers/page-blocks.js";

export interface OtherLanguages {
  /** The directory with the files of a language. The one of bash contains the others. */
  readonly folder: (language: string) => string;
  readonly blocks: readonly PageBlock[];
}

/** Writes the files of docs/ci-and-other-languages.md beside the programs that they test, with the package above them. */
export async function useInOtherLanguages(inUse: PackageInUse): Promise<OtherLanguages> {
  const project = await inUse.link("other-languages");
  const folder = (language: string) => (language === "bash" ? project : join(project, language));
  const blocks = blocksOfPage("ci-and-other-languages.md");
  for (const { language, file, text } of blocks) {
    if (file !== "" && language !== "yaml") await writeFile(join(folder(language), file), text);
  }
  return { folder, blocks };
}
