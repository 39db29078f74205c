/** `1 call`, `2 calls`. */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** The text with one mark at its end: a full stop, unless it ends with another one. */
export function sentence(text: string): string {
  return ".?!".includes(text.slice(-1)) ? text : `${text}.`;
}
