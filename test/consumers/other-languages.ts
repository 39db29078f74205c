import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackageInUse } from "./package-in-use.js";
import { blocksOfPage, type PageBlock } from "./page-blocks.js";

export interface OtherLanguages {
  /** The folder with the files of a language; that of bash has the others in it. */
  readonly folder: (language: string) => string;
  readonly blocks: readonly PageBlock[];
}

/** Installs the package, and writes the files of docs/other-languages.md beside the programs that they test. */
export async function installOtherLanguages(inUse: PackageInUse): Promise<OtherLanguages> {
  const project = await inUse.install("other-languages");
  const folder = (language: string) => (language === "bash" ? project : join(project, language));
  const blocks = blocksOfPage("other-languages.md");
  for (const { language, file, text } of blocks) {
    if (file !== "") await writeFile(join(folder(language), file), text);
  }
  return { folder, blocks };
}

/** Why a test cannot run here; undefined when the command succeeds. */
export function missing(command: string, args: readonly string[], advice: string): string | undefined {
  if (spawnSync(command, args, { stdio: "ignore" }).status === 0) return undefined;
  return `${[command, ...args].join(" ")} fails here. ${advice}`;
}
