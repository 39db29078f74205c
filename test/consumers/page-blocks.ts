/** A code block of a page: its language, what it is said to be, and its text. */
export interface PageBlock {
  readonly language: string;
  readonly kind: string;
  readonly text: string;
}

export function blocksOf(page: string): PageBlock[] {
  return [...page.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms)].map(
    ([, language = "", kind = "", text = ""]) => ({ language, kind, text }),
  );
}

/** The name that the first line of an example gives it. */
export function nameOf({ text }: PageBlock): string {
  return /^\/\/ (\S+)\n/.exec(text)?.[1] ?? "";
}

/** What stands under a heading, to the next one of the same level. */
export function sectionOf(page: string, heading: string): string {
  const [, section] = page.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`The page has no section ${heading}`);
  return section.split("\n## ")[0] ?? "";
}
