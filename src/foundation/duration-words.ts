/** Formats a duration: 90 ms, 12 s, 18 min 10 s. */
export function durationWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
