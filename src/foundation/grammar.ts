/** `1 request`, `2 requests`. */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** Adds a full stop, if the text has no punctuation mark at its end. */
export function sentence(text: string): string {
  return ".?!".includes(text.slice(-1)) ? text : `${text}.`;
}
