/** The targets of links and images of a page, except in code. */
export function linksIn(page: string): string[] {
  const prose = page.replace(/^```.*?^```$/gms, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}
