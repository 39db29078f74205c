export const invalidHeader = "Invalid header. Write each header on its own line, such as Retry-After: 1.";

/** Parses headers, one per line. An invalid line gets an empty name. */
export function parseHeaders(lines: string): Record<string, string> {
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

export function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
