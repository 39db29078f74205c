/**
 * Deeper JSON than any caller means. What is kept has to be written again for the state and the journal, and
 * JSON.stringify overflows the stack at some thousands of levels.
 */
export const maxDepth = 100;

/** What steers the mock holds what callers sent, a few levels down: a state has it in a group of a list. */
export const maxAdminDepth = maxDepth + 10;

export function nestsDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  if (levels === 0) return true;
  for (const value of Object.values(json)) if (nestsDeeper(value, levels - 1)) return true;
  return false;
}
