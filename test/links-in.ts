/** Where the links and pictures of a page lead. Code has no links. */
export function linksIn(page: string): string[] {
  const prose = page.replace(/^```.*?^```$/gms, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}
