import { namesIn, parseJson } from "../foundation/json.js";

const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON without changing a character of any token: a repeated key, `1.0` or a long number stays as it was sent.
 * Text that is not JSON stays as it is.
 */
export function formatJson(text: string): string {
  if (parseJson(text) === undefined) return text;
  let formatted = "";
  let depth = 0;
  let before = "";
  const newLine = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(jsonTokens)) {
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    const isEmpty = closes && (before === "{" || before === "[");
    const startsLine = closes ? !isEmpty : before === "{" || before === "[" || before === ",";
    formatted += startsLine ? `${newLine()}${token}` : token;
    if (token === ":") formatted += " ";
    if (token === "{" || token === "[") depth++;
    before = token;
  }
  return formatted;
}

/** A place in formatted JSON. */
interface Place {
  readonly line: number;
  /** Whether the value is there. Otherwise it is missing in the value that begins on this line. */
  readonly exists: boolean;
}

/**
 * The line on which the value at a JSON pointer begins, or else the closest value around it.
 * @param lines of formatted JSON
 */
export function findLine(lines: readonly string[], pointer: string): Place {
  let line = 0;
  for (const [level, name] of namesIn(pointer).entries()) {
    const child = findChild(lines, line, "  ".repeat(level + 1), name);
    if (child === undefined) return { line, exists: false };
    line = child;
  }
  return { line, exists: true };
}

/** The line of a field, or of an item by its index. Of a repeated field it is the last: that one counts. */
function findChild(
  lines: readonly string[],
  parent: number,
  indent: string,
  name: string,
): number | undefined {
  const isArray = lines[parent]?.endsWith("[");
  let items = 0;
  let found: number | undefined;
  for (let i = parent + 1; lines[i]?.startsWith(indent); i++) {
    const text = lines[i]?.slice(indent.length) ?? "";
    const isInner = /^[\s}\]]/.test(text);
    if (isInner) continue;
    const [key] = /^"(?:[^"\\]|\\.)*"(?=: )/.exec(text) ?? [];
    if (isArray ? String(items) === name : key !== undefined && JSON.parse(key) === name) found = i;
    items++;
  }
  return found;
}
