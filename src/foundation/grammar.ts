/** `1 request`, `2 requests`. */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** `Fault 1 reset the connection.` from `fault 1 reset the connection`. */
export function asSentence(text: string): string {
  return sentence(text.charAt(0).toUpperCase() + text.slice(1));
}

/** Adds a full stop, if the text has no punctuation mark at its end. */
export function sentence(text: string): string {
  return ".?!".includes(text.slice(-1)) ? text : `${text}.`;
}

/** Formats a duration: 90 ms, 12 s, 18 min 10 s. */
export function durationWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
