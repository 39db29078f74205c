import { parseJson } from "../foundation/json.js";

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
