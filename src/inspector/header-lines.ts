/** Said of a line that has no name. */
export const noHeader = "A header is a line like Retry-After: 1.";

/** Headers as a person writes them, one a line. A line that is no header has an empty name. */
export function headersIn(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [, name = "", value = ""] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? [];
        return [name, value.trim()];
      }),
  );
}

export function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
